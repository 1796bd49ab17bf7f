/** Finds the faults in one result that would make its response wrong. Executes nothing. */
import { columnsOf, currencyOfTotal, isMajor } from '../../definitions/units.ts'
import { currencyOfRows, rowOfTexts } from '../../serve/formats/format.ts'
import { minorText } from '../../model/currency.ts'
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import { inCurrency } from '../../serve/report/report-request.ts'
import type { MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import type { RawField } from '../../model/terms.ts'
import type { Fault, Question } from './questions.ts'
import { rowFaults } from './row-identity.ts'
import type { QueryResult } from './session.ts'
import type { PreparedSubject } from './subject.ts'
import { valueFaults } from './values.ts'
import { lineOfColumn } from './output-columns.ts'

type Row = readonly RawField[]

export function faultsIn(
  subject: PreparedSubject,
  question: Question,
  raw: QueryResult,
): Iterable<Fault> {
  const definition = inCurrency(subject.definition, question.organization.currency)
  const result = inMinorUnits(definition, raw)
  return isReport(definition)
    ? reportFaults(definition, subject, question, result)
    : metricsFaults(definition, subject, question, result)
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

function* reportFaults(
  definition: ReportDefinition,
  subject: PreparedSubject,
  question: Question,
  result: QueryResult,
): Iterable<Fault> {
  const { source, columns, maxRows, labelColumn, summaryColumns } = definition
  const { lineOf, matter, firstLine } = source
  const { label, bindings } = question
  const { totals, rows } = splitTotals(result)
  const rowCount = result.rowCount - totals.length
  const body = { ...result, rows: rows.slice(0, maxRows) }
  // why: the label of the totals row is always that of the product
  const withTotals = [...summaryColumns].filter(([name]) => name !== labelColumn)
  const ofTotals = withTotals.map(([name, type]) => {
    const path = [Object.hasOwn(matter.facts ?? {}, name) ? 'facts' : 'columns', name]
    return { name, type, line: lineOf(source.totals.has(name) ? [...path, 'total'] : path) }
  })
  const ofRows = columns.map(({ key, type }) => ({
    name: key,
    type,
    line: lineOf(['columns', key]),
  }))
  const wrongValues = [
    ...valueFaults(subject, question, { ...result, rows: totals }, ofTotals, 'in the totals row'),
    ...valueFaults(subject, question, body, ofRows, 'in a row'),
  ]
  yield* wrongValues

  const labelAt = result.fields.findIndex(({ name }) => name === labelColumn)
  if (body.rows.some(row => row[labelAt] === null)) {
    const message = `column "${labelColumn}" is null in a row (${label}), expected a text: it is the rows' label`
    yield { kind: 'label', line: lineOf(['columns', labelColumn]), message }
  }
  yield* rowFaults(definition, subject, question, body)
  if (rowCount > maxRows) {
    const message = `found ${rowCount} rows (${label}), expected at most maxRows, ${maxRows}`
    yield { kind: 'maxRows', line: lineOf(['maxRows']), message }
  }

  const [first, ...others] = totals
  if (totals.length !== 1 && result.fields.some(({ name }) => name === 'is_total')) {
    const found = first === undefined ? 'no totals row' : `${totals.length} totals rows`
    const message = `found ${found} (${label}), expected exactly one for every organization and period`
    yield { kind: 'totals rows', line: lineOfColumn(subject.draft, 'is_total'), message }
  }
  if (first === undefined || others.length > 0) return
  const total = new Map(result.fields.map(({ name }, at) => [name, first[at] ?? null]))
  const declaredCount = total.get('row_count') ?? null
  if (declaredCount !== null && Number(declaredCount) !== rowCount) {
    const message = `row_count is ${declaredCount} and there are ${rowCount} rows (${label}), expected their number`
    yield { kind: 'row_count', line: firstLine, message }
  }
  if (wrongValues.length > 0) return
  for (const path of ['summary', 'emptySummary']) {
    const count = path === 'summary' ? Math.max(rowCount, 1) : 0
    try {
      const currencyOf = (name: string) => currencyOfTotal(definition, name)
      definition.summarize({ ...bindings, fields: total, rowCount: count, currencyOf })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const message = `${path} cannot be built (${label}): ${why}, expected figures of their types`
      yield { kind: path, line: lineOf([path]), message }
    }
  }
}

function* metricsFaults(
  { metrics, source }: MetricsDefinition,
  subject: PreparedSubject,
  question: Question,
  result: QueryResult,
): Iterable<Fault> {
  const columns = metrics.map(({ code, format }) => ({
    name: code,
    type: format,
    line: source.lineOf(['metrics', code]),
  }))
  yield* valueFaults(subject, question, result, columns, 'in its row')
  if (result.rowCount === 1) return
  const message = `found ${result.rowCount} rows (${question.label}), expected one row of metrics`
  yield { kind: 'rows', line: source.firstLine, message }
}
