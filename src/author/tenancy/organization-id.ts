/** The columns with the organization's id, by the access files, foreign keys and names. */
import {
  plainType,
  type CatalogColumn,
  type CatalogTable,
  type FindTable,
  type ForeignKey,
} from '../sql/catalog-tables.ts'
import type { TenancyHints } from './tenancy-hints.ts'

export interface OrganizationId {
  /** The table of organizations; undefined if no foreign key refers to one. */
  readonly table: CatalogTable | undefined
  readonly column: string
  readonly type: string
  /** The most frequent name of the column in other tables. */
  readonly name: string
  /** All names of the column. */
  readonly names: ReadonlySet<string>
}

const DEFAULT = 'organization_id'

export function organizationId(
  tables: readonly CatalogTable[],
  { compared, ids }: TenancyHints,
  find: FindTable,
): OrganizationId {
  const name = mostOf(compared.map(({ column }) => column)) ?? DEFAULT
  const named = tables.flatMap(({ schema, name: table, columns }) =>
    columns.some(column => column.name === name) ? [{ schema, table, column: name }] : [],
  )
  const targets = [ids, compared, named].map(columns =>
    columns.flatMap(({ schema, table: written, column }) => {
      const table = find({ name: written, schema })
      const key = table && keyOf(table, column)
      if (key !== undefined) return [JSON.stringify([key.schema, key.name, key.keys[0]])]
      const isTarget = tables.some(one => referencesTo(table, column, one).length > 0)
      return table && isTarget ? [JSON.stringify([table.schema, table.name, column])] : []
    }),
  )
  const target = targets.map(mostOf).find(one => one !== undefined) ?? '[]'
  const [schema, tableName, column = '']: string[] = JSON.parse(target)
  const table = tableName === undefined ? undefined : find({ name: tableName, schema })
  const referencing = tables.flatMap(one => referencesTo(table, column, one))
  const own = table?.columns.find(one => one.name === column)
  const typed = tables.flatMap(({ columns }) =>
    columns.filter(one => [...referencing, name].includes(one.name)),
  )
  return {
    table,
    column,
    type: (own ?? typed[0])?.type ?? 'text',
    name: compared.length > 0 ? name : (mostOf(referencing) ?? DEFAULT),
    // why: `id` is the name of any table's own key
    names: new Set([...referencing, name, ...(column === 'id' ? [] : [column])]),
  }
}

/** Several if the choice is ambiguous. */
export function idColumnsOf(
  table: CatalogTable,
  id: OrganizationId,
  hints: TenancyHints,
): string[] {
  if (table === id.table) return [id.column]
  const referencing = referencesTo(id.table, id.column, table)
  const compared = hints.compared.filter(
    one =>
      one.table === table.name &&
      (one.schema === undefined ? table.isVisible : one.schema === table.schema),
  )
  const idTyped = table.columns.filter(
    column => isIdColumn(column, id) && keyOf(table, column.name) === undefined,
  )
  const names = idTyped.map(one => one.name)
  const named = names.filter(name => id.names.has(name))
  const comparedNames = names.filter(
    name => compared.some(({ column }) => column === name) && table.primaryKey.join() !== name,
  )
  const columns = [referencing, named, comparedNames].find(all => all.length > 0)
  const all = [...new Set(columns)]
  const [only, ...others] = new Set(
    compared.map(one => one.column).filter(one => all.includes(one)),
  )
  const likely = all.includes(id.name) ? id.name : others.length === 0 ? only : undefined
  return likely === undefined ? all : [likely]
}

export function isIdColumn(
  { type }: Pick<CatalogColumn, 'type'>,
  id: Pick<OrganizationId, 'type'>,
): boolean {
  const [own, wanted] = [plainType(type), plainType(id.type)]
  return own === wanted || COMPARABLE.some(types => types.includes(own) && types.includes(wanted))
}

/** Types whose values compare without a cast. */
const COMPARABLE = [
  ['smallint', 'integer', 'bigint', 'numeric'],
  ['text', 'character varying', 'character', 'bpchar', 'citext'],
]

/** The foreign key on this column alone. */
function keyOf({ foreignKeys }: CatalogTable, column: string): ForeignKey | undefined {
  return foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === column)
}

/** Columns of a table that are foreign keys to the target column. */
function referencesTo(
  target: CatalogTable | undefined,
  column: string,
  table: CatalogTable,
): string[] {
  return table.foreignKeys.flatMap(({ schema, name, keys, columns: [own = ''] }) =>
    keys.length === 1 && keys[0] === column && schema === target?.schema && name === target.name
      ? own
      : [],
  )
}

/** The most frequent name; the first of them if several are. */
export function mostOf(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}
