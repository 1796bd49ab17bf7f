/** Whether rows of a result can be told apart: by key, by order. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import { outputOrder } from './output-columns.ts'
import type { AddFault } from './kinds.ts'
import type { Draft } from './rules/draft.ts'
import type { QueryResult } from './session.ts'

/** @param result without totals rows */
export function addRowFaults(
  { key, source }: ReportDefinition,
  draft: Draft,
  result: QueryResult,
  add: AddFault,
): void {
  const line = source.lineOf(['key'])
  const { fields, rows } = result
  const nullable = key.find(name => {
    const at = fields.findIndex(field => field.name === name)
    return at !== -1 && rows.some(row => row[at] === null)
  })
  if (nullable !== undefined) {
    const expected = "a value in every row, such as '0' for rows without an id"
    add('key', line, `key: ${nullable} is null in a row`, expected)
  }
  const sameKey = sharedValues(result, key)
  if (sameKey !== undefined) {
    const found = `key: two rows have ${key.join(', ')} ${sameKey}`
    add('key', line, found, 'columns that make a row unique')
  }

  const { columns = [], line: orderLine = 1 } = outputOrder(draft) ?? {}
  // why: rows that are equal in every column are the same in any order
  const distinct = new Map(rows.map(row => [JSON.stringify(row), row]))
  const tied = sharedValues({ fields, rows: [...distinct.values()] }, columns)
  if (tied !== undefined) {
    const found = `two rows tie: ${columns.join(', ')} ${tied}`
    add('row-order', orderLine, found, 'an order by that ends in a unique key')
  }
}

/** The values that two rows share in these columns; undefined if all differ or a column is missing. */
export function sharedValues(
  { fields, rows }: Pick<QueryResult, 'fields' | 'rows'>,
  names: readonly string[],
): string | undefined {
  const columnIndexes = names.map(name => fields.findIndex(field => field.name === name))
  if (columnIndexes.length === 0 || columnIndexes.includes(-1)) return undefined
  const values = new Set<string>()
  for (const row of rows) {
    const rowValues = JSON.stringify(columnIndexes.map(index => row[index]))
    if (values.has(rowValues)) return rowValues.slice(1, -1)
    values.add(rowValues)
  }
  return undefined
}
