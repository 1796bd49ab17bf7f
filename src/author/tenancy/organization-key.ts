/** The column that identifies organizations, by the access files, else by foreign keys; and the columns that refer to it. */
import type { DeclaredTable } from '../../definitions/tenancy.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import {
  createFindTable,
  plainType,
  tableKey,
  type CatalogTable,
  type ForeignKey,
} from '../sql/catalog-tables.ts'
import { originOf, relationOf } from '../check/origins.ts'
import { columnOf } from '../sql/expressions.ts'
import { readQuery } from '../check/statement.ts'

export interface OrganizationKey {
  /** Its table, by `tableKey`; undefined if neither the access files nor a foreign key shows it. */
  readonly table: string | undefined
  readonly column: string
  /** Whether the access files show it. */
  readonly isOfAccess: boolean
  /** Undefined if the role may read no column that refers to it. */
  readonly type: string | undefined
  /** The most frequent name of the columns that refer to it. */
  readonly name: string
  /** All their names. */
  readonly names: ReadonlySet<string>
}

/** A column as the SQL names it. */
interface NamedColumn {
  readonly schema: string | undefined
  readonly name: string
  readonly column: string
}

/** @param texts SQL of the access files @returns the columns that they select as `organization_id` */
export async function accessColumns(
  texts: readonly string[],
  parse: ParseSql,
): Promise<NamedColumn[]> {
  const parsed = await Promise.all(texts.map(text => parse({ text, placeholders: [] })))
  const queries = parsed.flatMap(({ statements }) => readQuery(statements[0]?.tree) ?? [])
  return queries
    .flatMap(({ selects }) => selects)
    .flatMap(select => {
      const item = select.items.find(({ name }) => name === 'organization_id')
      if (item === undefined) return []
      const [node, within] = originOf(item.expression, select)
      const { name, schema } = relationOf(node, within) ?? {}
      const column = columnOf(node)?.name
      return name === undefined || column === undefined ? [] : [{ schema, name, column }]
    })
}

export function organizationKey(
  tables: readonly CatalogTable[],
  access: readonly NamedColumn[],
): OrganizationKey {
  const find = createFindTable(tables)
  const references = tables.flatMap(table => (table.isPartition ? [] : singleKeys(table)))
  const targets = references.map(key => textOf(targetOf(key)))
  const ofAccess = access.flatMap(written => {
    const table = find(written)
    const own = textOf({ ...written, schema: table?.schema ?? written.schema })
    const key = table && singleKeys(table).find(one => one.columns[0] === written.column)
    if (targets.includes(own) || (table !== undefined && key === undefined)) return [own]
    return key === undefined ? [] : [textOf(targetOf(key))]
  })
  const text = mostOf(ofAccess) ?? mostOf(targets)
  const [table, column = '']: string[] = JSON.parse(text ?? '[]')
  const referring = references.flatMap(key =>
    tableKey(key) === table && key.keys[0] === column ? [key.columns[0]!] : [],
  )
  const written = [...access.map(one => one.column), column]
  // why: `id` is the name of any table's own key
  const [own, others] = [referring, written].map(all => all.filter(one => !/^(?:id)?$/.test(one)))
  const name = mostOf(own!) ?? mostOf(others!) ?? 'organization_id'
  const names = new Set([...own!, ...others!, name])
  const ofKey = tables.find(one => tableKey(one) === table)?.columns
  const [typed] = [
    ...(ofKey ?? []).filter(one => one.name === column),
    ...tables.flatMap(({ columns }) => columns.filter(one => one.name === name)),
  ]
  return { table, column, isOfAccess: ofAccess.length > 0, type: typed?.type, name, names }
}

/**
 * By table, its columns with an organization's id: those that refer to one.
 * @param declared by `tableKey`
 */
export function organizationColumns(
  tables: readonly CatalogTable[],
  id: OrganizationKey,
  declared: ReadonlyMap<string, DeclaredTable>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map(
    tables.map(table => {
      const tenancy = declared.get(tableKey(table))?.tenancy
      return [tableKey(table), new Set(tenancy?.kind === 'tenant' ? [tenancy.column] : [])]
    }),
  )
  if (id.table !== undefined) found.set(id.table, new Set([id.column]))
  const open = tables.filter(one => tableKey(one) !== id.table && !declared.has(tableKey(one)))
  for (let grows = true; grows;) {
    grows = false
    for (const table of open) {
      const own = found.get(tableKey(table))!
      const { size } = own
      for (const key of table.foreignKeys)
        for (const [at, column] of key.columns.entries())
          if (found.get(tableKey(key))?.has(key.keys[at]!)) own.add(column)
      grows ||= own.size > size
    }
  }
  return found
}

function textOf({ schema = 'public', name, column }: NamedColumn): string {
  return JSON.stringify([tableKey({ schema, name }), column])
}

function targetOf({ schema, name, keys: [column = ''] }: ForeignKey): NamedColumn {
  return { schema, name, column }
}

function singleKeys({ foreignKeys }: CatalogTable): ForeignKey[] {
  return foreignKeys.filter(({ columns }) => columns.length === 1)
}

/** Whether values of the type compare with the organization's id without a cast. */
export function isIdType(type: string, wanted = type): boolean {
  const types = [plainType(type), plainType(wanted)]
  return types[0] === types[1] || COMPARABLE.some(all => types.every(one => all.includes(one)))
}

const COMPARABLE = [
  ['smallint', 'integer', 'bigint', 'numeric'],
  ['text', 'character varying', 'character', 'bpchar', 'citext'],
]

/** The most frequent name; the first of them if several are. */
export function mostOf(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}
