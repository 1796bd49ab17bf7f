/** One select in place of a table's rows: in another order, with other values, with copies. Knows no database. */
import { escapeIdentifier } from 'pg'
import type { RowsOf } from '../../../definitions/tenant-rows.ts'
import type { ProductColumn, ProductTable } from '../product-tables.ts'

export interface OtherRows {
  /** The value of a column; by default its own. */
  readonly columnOf?: (column: ProductColumn, table: ProductTable) => string
  /** What follows `from (...) as own`: copies, a condition, an order. */
  readonly rest?: (table: ProductTable) => string
}

export const asItIs = ({ name }: ProductColumn): string => escapeIdentifier(name)

/** @param tables the other tables have their own rows */
export function otherRows(
  rowsOf: RowsOf,
  tables: readonly ProductTable[],
  { columnOf = asItIs, rest = () => '' }: OtherRows,
): RowsOf {
  return (declared, children) => {
    // why: other values of its parents must not show other rows of a child
    const own = rowsOf(declared, children === 'linked' ? undefined : children)
    const table = tables.find(one => one.declared.name === declared.name)
    if (table === undefined) return own
    const columns = table.columns.map(
      one => `${columnOf(one, table)} as ${escapeIdentifier(one.name)}`,
    )
    return [`select ${columns.join(', ')} from (`, ...own, ') as own', rest(table)]
  }
}

/** The columns to change in a copy of a row, one of each unique key; undefined if a key has none, so that no row can be copied. */
export function newKey(table: ProductTable): ReadonlySet<string> | undefined {
  const { columns, uniqueKeys, foreignKeys, declared, isView } = table
  const { tenancy } = declared
  const links = new Set([
    ...foreignKeys.flatMap(key => key.columns),
    ...(tenancy.kind === 'tenant' ? [tenancy.column] : []),
    ...(tenancy.kind === 'child' ? tenancy.links.map(({ column }) => column) : []),
  ])
  const changed = new Set<string>()
  // why: PostgreSQL knows no keys of a view
  if (isView) return undefined
  for (const key of uniqueKeys) {
    const free = columns.find(
      ({ name, ...one }) => key.includes(name) && !links.has(name) && newValue(one) !== undefined,
    )
    if (free === undefined) return undefined
    changed.add(free.name)
  }
  return changed
}

/** A value that no row has, for a copy with this number; undefined if the type shows none. */
export function newValue({ kind, type }: Pick<ProductColumn, 'kind' | 'type'>) {
  if (kind === 'number') {
    // why: without a factor, copies of rows with consecutive ids have one key; with it, large ids of small types overflow
    const most = { smallint: '2e3', integer: '1e8' }[type] ?? '1e17'
    return (name: string, copy: string) =>
      `(-1.0 - ${copy} - ${name} * case when ${name} between 0 and ${most} then 16.0 else 1 end)::${type}`
  }
  if (kind === 'text' || type === 'uuid')
    return (name: string, copy: string) => `md5(${name}::text || ${copy})::${type}`
  return undefined
}
