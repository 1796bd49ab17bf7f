/** Whether rows of a result can be told apart: by key, by order. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { ColumnType } from '../../model/terms.ts'
import { outputOrder } from './output-columns.ts'
import type { Fault, Question } from './questions.ts'
import type { QueryResult } from './session.ts'
import type { PreparedSubject } from './subject.ts'

/** @param result without totals rows */
export function* rowFaults(
  definition: ReportDefinition,
  { draft }: PreparedSubject,
  { label }: Question,
  result: QueryResult,
): Iterable<Fault> {
  const { key, source } = definition
  const nullable = key.find(name => hasNull(result, name))
  if (nullable !== undefined) {
    const message = `key: ${nullable} is null in a row (${label}), expected a value in every row, such as '0' for rows without an id`
    yield { kind: 'null key', line: source.lineOf(['key']), message }
  }
  const sameKey = sharedValues(result, key)
  if (sameKey !== undefined) {
    const message = `key: two rows have ${key.join(', ')} ${sameKey} (${label}), expected columns that make a row unique`
    yield { kind: 'key', line: source.lineOf(['key']), message }
  }

  const { columns = [], line = 1 } = outputOrder(draft) ?? {}
  // why: rows that are equal in every column are the same in any order
  const distinct = new Map(result.rows.map(row => [JSON.stringify(row), row]))
  const tied = sharedValues({ ...result, rows: [...distinct.values()] }, columns)
  if (tied !== undefined) {
    const message = `two rows tie: ${columns.join(', ')} ${tied} (${label}), expected an order by that ends in a unique key`
    yield { kind: 'ties', line, message }
  }
}

function hasNull({ fields, rows }: QueryResult, name: string): boolean {
  const at = fields.findIndex(field => field.name === name)
  return at !== -1 && rows.some(row => row[at] === null)
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

/** Whether values of the type name a row (texts and days), rather than measure it. */
export function isNaming(type: ColumnType): boolean {
  return ['text', 'date', 'month', 'datetime'].includes(type)
}
