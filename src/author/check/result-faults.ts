/** Finds the faults in one result that would make its response wrong. Executes nothing. */
import { columnsOf, isMajor } from '../../definitions/units.ts'
import { currencyOfRows, rowOfTexts } from '../../serve/formats/format.ts'
import { minorText } from '../../model/currency.ts'
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import { inCurrency } from '../../serve/report/report-request.ts'
import type { MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import { findingsOfKind } from './evidence.ts'
import type { AddFault, KindFinding } from './kinds.ts'
import type { RawField } from '../../model/terms.ts'
import type { Question } from './questions.ts'
import { addRowFaults } from './row-identity.ts'
import type { QueryResult } from './session.ts'
import type { Subject } from './subject.ts'
import { addValueFaults } from './values.ts'
import { lineOfColumn } from './output-columns.ts'

type Row = readonly RawField[]

export function faultsIn(
  subject: Subject,
  question: Question,
  raw: QueryResult,
): readonly KindFinding[] {
  const definition = inCurrency(subject.definition, question.organization.currency)
  const result = inMinorUnits(definition, raw)
  const faults: KindFinding[] = []
  const add: AddFault = (id, line, found, expected) => {
    const message = `${found} (${question.label}), expected ${expected}`
    faults.push(...findingsOfKind(id, [{ line, message }]))
  }
  if (isReport(definition)) addReportFaults(definition, subject, question, result, add)
  else addMetricsFaults(definition, question, result, add)
  return faults
}

/** Money of `unit: major` as the gateway writes it, unless it has more digits than its currency. */
export function inMinorUnits(definition: AnyDefinition, result: QueryResult): QueryResult {
  const { fields } = result
  const currencies = fields.map(({ name }) =>
    isMajor(definition, name) ? currencyOfRows(definition, name) : undefined,
  )
  if (currencies.every(one => one === undefined)) return result
  const indexOf = (wanted: string): number => fields.findIndex(({ name }) => name === wanted)
  const visible = columnsOf(definition).map(({ key }) => indexOf(key))
  const totalAt = indexOf('is_total')
  const rows = result.rows.map(row => {
    const bytes = rowOfTexts(row)
    return row.map((value, at) => {
      const currencyOf = currencies[at]
      if (value === null || currencyOf === undefined) return value
      const digits = currencyOf(bytes, visible)?.digits
      // why: a total of several currencies is null
      if (digits === undefined) return row[totalAt] === 't' ? null : value
      return minorText(value, digits) ?? value
    })
  })
  return { ...result, rows }
}

/** @returns the rows and the totals rows */
export function splitTotals({ fields, rows }: QueryResult): { totals: Row[]; rows: Row[] } {
  const at = fields.findIndex(({ name }) => name === 'is_total')
  return {
    totals: rows.filter(row => row[at] === 't'),
    rows: rows.filter(row => row[at] !== 't'),
  }
}

function addReportFaults(
  definition: ReportDefinition,
  { draft }: Subject,
  { organization: { timeZone } }: Question,
  result: QueryResult,
  add: AddFault,
): void {
  const { source, columns, maxRows, labelColumn, summaryColumns } = definition
  const { lineOf, matter, firstLine } = source
  const { totals, rows } = splitTotals(result)
  const rowCount = result.rowCount - totals.length
  const body = { ...result, rows: rows.slice(0, maxRows) }
  // why: the label of the totals row is always that of the product
  const withTotals = [...summaryColumns].filter(([name]) => name !== labelColumn)
  const ofTotals = withTotals.map(([name, type]) => {
    const path = [Object.hasOwn(matter.facts ?? {}, name) ? 'facts' : 'columns', name]
    return { name, type, line: lineOf(source.totals.has(name) ? [...path, 'total'] : path) }
  })
  const ofRows = columns.map(({ key: name, type }) => {
    return { name, type, line: lineOf(['columns', name]) }
  })
  addValueFaults({ ...result, rows: totals }, ofTotals, timeZone, 'in the totals row', add)
  addValueFaults(body, ofRows, timeZone, 'in a row', add)

  const labelAt = result.fields.findIndex(({ name }) => name === labelColumn)
  if (body.rows.some(row => row[labelAt] === null)) {
    const found = `column "${labelColumn}" is null in a row`
    add('label', lineOf(['columns', labelColumn]), found, "a text: it is the rows' label")
  }
  addRowFaults(definition, draft, body, add)
  if (rowCount > maxRows)
    add('max-rows', lineOf(['maxRows']), `found ${rowCount} rows`, `at most maxRows, ${maxRows}`)

  if (totals.length !== 1 && result.fields.some(({ name }) => name === 'is_total')) {
    const found = totals.length === 0 ? 'no totals row' : `${totals.length} totals rows`
    const expected = 'exactly one for every organization and period'
    add('one-row', lineOfColumn(draft, 'is_total'), `found ${found}`, expected)
  }
  const [first, ...others] = totals
  if (first === undefined || others.length > 0) return
  const total = new Map(result.fields.map(({ name }, at) => [name, first[at] ?? null]))
  const declaredCount = total.get('row_count') ?? null
  if (declaredCount !== null && Number(declaredCount) !== rowCount) {
    const found = `row_count is ${declaredCount} and there are ${rowCount} rows`
    add('one-row', firstLine, found, 'their number')
  }
  if (rowCount <= maxRows) addSumFaults(definition, { ...result, rows }, total, add)
}

/** A total that is not the sum of the rows, which the column promises. */
function addSumFaults(
  { columns, source: { matter, lineOf } }: ReportDefinition,
  { fields, rows }: QueryResult,
  totals: ReadonlyMap<string, RawField>,
  add: AddFault,
): void {
  for (const { key } of columns) {
    const total = totals.get(key) ?? null
    if (total === null || matter.columns[key]?.aggregation?.rows !== 'sum') continue
    const at = fields.findIndex(({ name }) => name === key)
    const sum = rows.reduce((all, row) => all + Number(row[at] ?? 0), 0)
    // why: sums of doubles are not exact, and what is no number is another fault
    if (!(Math.abs(sum - Number(total)) > 1e-9 * Math.max(1, Math.abs(sum)))) continue
    const found = `"${key}" says rows: sum, and its total is ${total}, and ${Number(sum.toFixed(6))} the sum of the rows`
    add('row-sum', lineOf(['columns', key]), found, 'the sum, or no rows: sum')
  }
}

function addMetricsFaults(
  { metrics, source }: MetricsDefinition,
  { organization: { timeZone } }: Question,
  result: QueryResult,
  add: AddFault,
): void {
  const columns = metrics.map(({ code: name, format: type }) => {
    return { name, type, line: source.lineOf(['metrics', name]) }
  })
  addValueFaults(result, columns, timeZone, 'in its row', add)
  if (result.rowCount !== 1)
    add('one-row', source.firstLine, `found ${result.rowCount} rows`, 'one row of metrics')
}
