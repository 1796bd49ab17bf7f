/** Compares a definition's result with its oracle's: the same rows in the same order, exact to the kopeck. */
import { expect } from 'chai'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import type { ColumnType, MetricFormat, RawField } from '../../src/model/terms.ts'
import type { Answer, AnswerRow } from './oracles/oracle.ts'
import type { FieldRow, ReportAnswer } from './run.ts'

const SHAPES: Readonly<Record<ColumnType | MetricFormat, RegExp>> = {
  text: /^[^]*$/,
  date: /^\d{4}-\d\d-\d\d$/,
  month: /^\d{4}-\d\d$/,
  datetime: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/,
  integer: /^-?\d+$/,
  number: /^-?\d+(\.\d{1,3})?$/,
  percent: /^-?\d+\.\d$/,
  money: /^-?\d+$/,
  days: /^-?\d+\.\d$/,
  hours: /^-?\d+\.\d$/,
}

function plain(value: bigint | RawField | undefined): string | null {
  if (value === undefined) return 'missing'
  return value === null ? null : String(value)
}

/** Prints only fields that differ. */
function expectSameFields(
  keys: readonly string[],
  row: FieldRow,
  expected: AnswerRow,
  where: string,
): void {
  const differ = keys.filter(key => plain(row[key]) !== plain(expected[key]))
  const differences = differ.map(
    key => `${key} is ${plain(row[key])}, the oracle has ${plain(expected[key])}`,
  )
  expect(differences.join('; '), where).to.equal('')
}

function expectShape(type: ColumnType | MetricFormat, value: RawField | undefined, where: string) {
  if (value === null) return
  expect(value, where).to.match(SHAPES[type])
}

/** Loaders depend on the key. */
function expectUniqueKey(key: readonly string[], rows: readonly FieldRow[]): void {
  if (key.length === 0) return
  const keys = new Set(rows.map(row => JSON.stringify(key.map(name => row[name]))))
  expect(keys.size, `number of different keys ${key.join(', ')}`).to.equal(rows.length)
}

/** Values of the summary other than columns: the oracle must have exactly these. */
function expectSameFacts(
  { columns, summaryColumns }: ReportDefinition,
  totals: FieldRow,
  expected: AnswerRow,
): void {
  const visible = new Set(columns.map(column => column.key))
  const facts = [...summaryColumns].filter(([name]) => !visible.has(name))
  const names = facts.map(([name]) => name)
  const known = Object.keys(expected).toSorted()
  expect(known, 'facts that the oracle gives').to.deep.equal(names.toSorted())
  expectSameFields(names, totals, expected, 'facts')
  for (const [name, type] of facts) expectShape(type, totals[name], name)
}

export function expectSameReport(
  definition: ReportDefinition,
  answer: ReportAnswer,
  expected: Answer,
): void {
  const { columns, labelColumn, key } = definition
  const keys = columns.map(column => column.key)
  const totalKeys = keys.filter(key => key !== labelColumn)
  const nulls = Object.fromEntries(totalKeys.map(key => [key, null]))
  expectSameFields(totalKeys, answer.totals, { ...nulls, ...expected.totals }, 'totals')
  expectSameFacts(definition, answer.totals, expected.facts ?? {})
  expect(answer.rows.length, 'number of rows').to.equal(expected.rows.length)
  for (const [at, row] of answer.rows.entries()) {
    expectSameFields(keys, row, expected.rows[at] ?? {}, `row ${at + 1}`)
  }
  expectUniqueKey(key, answer.rows)
  for (const row of [...answer.rows, answer.totals]) {
    for (const column of columns) {
      const isLabelOfTotals = row === answer.totals && column.key === labelColumn
      if (!isLabelOfTotals) expectShape(column.type, row[column.key], column.key)
    }
  }
}

export function expectSameMetrics(
  metrics: readonly { readonly code: string; readonly format: MetricFormat }[],
  answer: FieldRow,
  expected: AnswerRow,
): void {
  const codes = metrics.map(metric => metric.code)
  expect(Object.keys(answer).toSorted()).to.deep.equal(codes.toSorted())
  expectSameFields(codes, answer, expected, 'metrics')
  for (const { code, format } of metrics) expectShape(format, answer[code], code)
}
