/** The column that identifies organizations, by the access files, else by foreign keys; and the columns that refer to it. */
import type { DeclaredTable } from '../../definitions/tenancy.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import { createFindTable, plainType, tableKey, type CatalogTable } from '../sql/catalog-tables.ts'
import { originOf, relationOf } from '../check/origins.ts'
import { columnOf } from '../sql/expressions.ts'
import { readQuery } from '../check/statement.ts'

export interface OrganizationKey {
  /** Its table, by `tableKey`; undefined if neither the access files nor a foreign key shows it. */
  readonly table: string | undefined
  readonly column: string
  /** Whether the access files show it. */
  readonly isOfAccess: boolean
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
  const references = tables.flatMap(table =>
    table.foreignKeys.flatMap(({ columns: [column = '', ...more], keys, ...target }) => {
      if (more.length > 0 || table.isPartition) return []
      return [{ table, column, target: JSON.stringify([tableKey(target), keys[0]]) }]
    }),
  )
  const targets = references.map(({ target }) => target)
  const ofAccess = access.map(({ schema, name, column }) => {
    const table = find({ schema, name })
    const key = tableKey({ schema: table?.schema ?? schema ?? 'public', name })
    const own = JSON.stringify([key, column])
    const reference = references.find(one => one.table === table && one.column === column)
    return targets.includes(own) ? own : (reference?.target ?? own)
  })
  const text = mostOf(ofAccess) ?? mostOf(targets)
  const [table, column = '']: string[] = JSON.parse(text ?? '[]')
  const referring = references.flatMap(one => (one.target === text ? one.column : []))
  // why: `id` is the name of any table's own key
  const [own = [], others = []] = [referring, [...access.map(one => one.column), column]].map(all =>
    all.filter(one => !/^(?:id)?$/.test(one)),
  )
  const name = mostOf(own) ?? mostOf(others) ?? 'organization_id'
  const names = new Set([...own, ...others, name])
  return { table, column, isOfAccess: ofAccess.length > 0, name, names }
}

/**
 * Whether a column has ids of organizations: it is declared so, or refers to such a column.
 * @param declared by `tableKey`, as the tables of the function
 */
export function createIsOrganization(
  tables: readonly CatalogTable[],
  id: OrganizationKey,
  declared: ReadonlyMap<string, DeclaredTable>,
): (table: string, column: string) => boolean {
  const byKey = new Map(tables.map(table => [tableKey(table), table]))
  const isOrganization = (key: string, column: string, below: readonly string[]): boolean => {
    if (key === id.table) return column === id.column
    // why: of a declared table, the question is where the column leads
    const { tenancy } = (below.length > 0 && declared.get(key)) || {}
    if (tenancy !== undefined) return tenancy.kind === 'tenant' && tenancy.column === column
    const { foreignKeys = [] } = (!below.includes(key) && byKey.get(key)) || {}
    return foreignKeys.some(({ columns, keys, ...target }) => {
      const at = columns.indexOf(column)
      return at >= 0 && isOrganization(tableKey(target), keys[at]!, [...below, key])
    })
  }
  return (key, column) => isOrganization(key, column, [])
}

/** Whether values of the type compare with the organization's id without a cast. */
export function isIdType(type: string, wanted: string): boolean {
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
