/** Rows of tables in another order or with other values, as the source of a statement. Knows no database. */
import { escapeIdentifier } from 'pg'
import type { RowsOf } from '../../definitions/tenant-rows.ts'
import type { ProductColumn, ProductTable } from './product-tables.ts'

export interface OtherRows {
  /** The order of the rows; undefined leaves it to the planner. */
  readonly order?: 'forth' | 'back' | 'shuffled'
  readonly columnOf?: (column: ProductColumn) => string
}

export const asItIs = ({ name }: ProductColumn): string => escapeIdentifier(name)

/** @param tables the other tables have their own rows */
export function otherRows(
  rowsOf: RowsOf,
  tables: readonly ProductTable[],
  { order, columnOf = asItIs }: OtherRows,
): RowsOf {
  return (declared, children) => {
    // why: other values of its parents must not show other rows of a child
    const ofChildren = children === 'linked' ? undefined : children
    const table = tables.find(one => one.declared.name === declared.name)
    if (table === undefined) return rowsOf(declared, ofChildren)
    const columns = table.columns.map(one => `${columnOf(one)} as ${escapeIdentifier(one.name)}`)
    const from = [
      `select ${columns.join(', ')} from (`,
      ...rowsOf(declared, ofChildren),
      ') as own',
    ]
    return order === undefined ? from : [...from, ` order by ${ORDERS[order]}`]
  }
}

// why: views have no physical order; any that is unrelated to the statement's will do
const ORDERS = {
  forth: 'md5(own::text)',
  back: 'md5(own::text) desc',
  shuffled: 'md5(md5(own::text))',
}
