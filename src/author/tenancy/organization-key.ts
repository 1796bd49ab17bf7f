/** The column that identifies organizations: by the access files, else by foreign keys. */
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import {
  createFindTable,
  plainType,
  tableKey,
  type CatalogColumn,
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

const DEFAULT = 'organization_id'

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
  const refers = (key: ForeignKey) => tableKey(key) === table && key.keys[0] === column
  const referring = telling(references.filter(refers).map(key => key.columns[0]!))
  const written = telling([...access.map(one => one.column), column])
  const name = mostOf(referring) ?? mostOf(written) ?? DEFAULT
  const columns = tables.find(one => tableKey(one) === table)?.columns
  const own = columns?.find(one => one.name === column)
  const named = tables.flatMap(({ columns }) => columns.filter(one => one.name === name))
  const type = (own ?? named[0])?.type
  const names = new Set([...referring, ...written, name])
  return { table, column, isOfAccess: ofAccess.length > 0, type, name, names }
}

/** why: `id` is the name of any table's own key */
function telling(names: readonly string[]): string[] {
  return names.filter(name => name !== 'id' && name !== '')
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

/** Whether its values compare with the organization's id without a cast. */
export function isIdColumn(
  { type }: Pick<CatalogColumn, 'type'>,
  id: Pick<OrganizationKey, 'type'>,
): boolean {
  const [own, wanted] = [plainType(type), plainType(id.type ?? type)]
  return own === wanted || COMPARABLE.some(types => types.includes(own) && types.includes(wanted))
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
