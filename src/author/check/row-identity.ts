/** Whether rows of a result can be told apart: by key, by order, by visible columns. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { ColumnType } from '../../model/terms.ts'
import { everySelect } from '../sql/query.ts'
import type { Fault } from './result-faults.ts'
import { isTableColumn, outputOrder } from './output-columns.ts'
import type { Question } from './questions.ts'
import type { QueryResult } from './session.ts'
import type { PreparedSubject } from './subject.ts'

/** @param result without totals rows */
export function* rowFaults(
  definition: ReportDefinition,
  { draft, synthetic }: PreparedSubject,
  { label }: Question,
  result: QueryResult,
): Iterable<Fault> {
  const { key, labelColumn, source } = definition
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

  // why: a key tells rows apart; synthetic rows have equal names on purpose
  if (key.length > 0 || synthetic !== undefined) return
  const names = namesIn(definition, draft)
  const sameNames = sharedValues(result, names)
  if (sameNames === undefined) return
  const message = `two rows have ${names.join(', ')} ${sameNames} (${label}) and no column that tells them apart, expected one, such as a number`
  yield { kind: 'equal labels', line: source.lineOf(['columns', labelColumn]), message }
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

/** Columns by which a reader tells rows apart: names, days, table columns. Empty for events, which may repeat. */
function namesIn({ source }: ReportDefinition, { query }: PreparedSubject['draft']): string[] {
  const columns = Object.entries(source.matter.columns)
  const hasDays = columns.some(([, { type }]) => type !== 'text' && isNaming(type))
  const isGrouped = everySelect(query).some(({ node }) => node.groupClause !== undefined)
  // why: a client may have two sales of one amount on one day
  if (hasDays && !isGrouped) return []
  // why: an author who selects a hidden id allows for equal names
  return columns.flatMap(([name, { type }]) =>
    isNaming(type) || isTableColumn({ query }, name) ? [name] : [],
  )
}
