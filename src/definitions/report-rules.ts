/** Checks of a report's front matter beyond its schema. */
import { isDate } from './calendar.ts'
import type { Finding } from './findings.ts'
import type { MatterPath } from './front-matter.ts'
import { chartFaults } from './report-chart.ts'
import { linkFaults, linksOf } from './report-link.ts'
import { columnNameFaults, type ReportField } from './report-fields.ts'
import { checkTotal } from './rules/check-sql.ts'
import { SYSTEM_COLUMNS } from './rules/wrong-figures.ts'
import type { ReportMatter } from './schemas.ts'
import { NAME, NAME_EXPECTED } from './source-file.ts'
import type { ColumnType } from '../model/terms.ts'
import { MAJOR } from './units.ts'
import type { ParsedSql } from './sql/parsed-sql.ts'
import type { Tenancy } from './tenancy.ts'
import { isBuiltIn, type Summary } from './summary.ts'
import { hasTotal, NO_TOTAL, TOTALS_COLUMNS } from './totals.ts'

export interface ReadReport {
  readonly matter: ReportMatter
  readonly fields: readonly ReportField[]
  readonly lineOf: (path: MatterPath) => number
  /** Whether the statement returns its totals row itself. */
  readonly returnsTotals: boolean
  /** By column or fact. */
  readonly totals: ReadonlyMap<string, ParsedSql>
  readonly summary: Summary
  readonly emptySummary: Summary
  readonly tenancy: Tenancy
}

export function checkReport(report: ReadReport): Finding[] {
  const { fields, matter, lineOf } = report
  const find = (path: readonly string[]) => (message: string) => ({
    line: lineOf(path),
    message: `${path.join('.')}: ${message}`,
  })
  return [
    ...fields.flatMap(field => {
      const path = [field.section, field.name]
      const ofTotal = field.total === undefined ? path : [...path, 'total']
      return [
        ...nameFaults(field, matter).map(find(path)),
        ...totalFaults(field, report).map(find(ofTotal)),
      ]
    }),
    ...Object.keys(matter.columns).flatMap(name =>
      [...unitFaults(name, matter), ...currencyFaults(name, matter)].map(find(['columns', name])),
    ),
    ...Object.entries(matter.facts ?? {}).flatMap(([name, { type, currency }]) => {
      const isOfColumn = Object.values(matter.columns).some(one => one.currency === currency)
      const isWrong = currency !== undefined && (type !== 'money' || !isOfColumn)
      return isWrong ? [NO_CURRENCY_OF_FACT].map(find(['facts', name])) : []
    }),
    ...linksOf(matter).flatMap(([path, link]) => linkFaults(link, matter).map(find(path))),
    ...deprecationFaults(matter).map(find(['deprecated'])),
    ...(fields.some(({ role }) => role === 'label') ? [] : [NO_LABEL]).map(find(['columns'])),
    ...columnNameFaults(matter.key ?? [], fields).map(find(['key'])),
    ...chartFaults(matter, fields).map(({ path, message }) => find(['chart', path])(message)),
    ...summaryFaults(report.summary, report).map(find(['summary'])),
    ...figureFaults(report.summary).map(find(['summary'])),
    ...summaryFaults(report.emptySummary, report).map(find(['emptySummary'])),
  ]
}

function nameFaults({ name, section, role }: ReportField, { columns }: ReportMatter): string[] {
  if (!NAME.test(name)) return [`bad name "${name}", ${NAME_EXPECTED}`]
  if (TOTALS_COLUMNS.some(column => column === name)) {
    return [`"${name}" belongs to the totals row, expected another name`]
  }
  if (section === 'facts') {
    const isColumn = Object.hasOwn(columns, name)
    if (!isColumn && !isBuiltIn(name)) return []
    const holder = isColumn ? 'there is a column' : 'every summary has a'
    return [`${holder} "${name}", expected another name`]
  }
  if (role === 'hidden') return []
  if (name.startsWith('next') || name === 'pages' || name === '_end') {
    return [`loaders take "${name}" for paging, expected a name other than next..., pages and _end`]
  }
  if (name === '_organization' || name === '_month') {
    return [`loaders add "${name}" to the columns of a report, expected another name`]
  }
  if (!SYSTEM_COLUMNS.has(name)) return []
  return [`no table can have "${name}", a system column of PostgreSQL; expected another name`]
}

function totalFaults(
  { name, total, role }: ReportField,
  { returnsTotals, totals, tenancy }: ReadReport,
) {
  if (total === undefined) {
    if (returnsTotals || role === 'label' || role === 'hidden') return []
    return [`no total, expected an aggregate${role === 'fact' ? '' : ` or ${NO_TOTAL}`}`]
  }
  if (returnsTotals)
    return ['the statement selects is_total, expected one kind of totals in a file']
  if (role === 'label') return ["this column carries the totals' label, expected no total"]
  const sql = totals.get(name)
  if (sql !== undefined) return checkTotal(sql, tenancy)
  return role === 'fact' ? [`found ${NO_TOTAL}, expected an aggregate`] : []
}

/** Types of figures that can be added up. */
const ADDITIVE: readonly ColumnType[] = ['integer', 'number', 'money']

function unitFaults(name: string, { columns }: ReportMatter): string[] {
  const { type, total, unit, aggregation, hidden } = columns[name]!
  const { rows = 'none', periods = 'none' } = aggregation ?? {}
  const isCounted = type === 'integer' || type === 'number'
  const found = `found a column of type ${type}`
  const isAdded = rows !== 'none' || periods !== 'none'
  return [
    hidden &&
      (unit ?? aggregation) !== undefined &&
      'is hidden, expected neither unit nor aggregation',
    unit !== undefined &&
      !isCounted &&
      !(type === 'money' && unit === MAJOR) &&
      `unit: ${found}, expected integer or number, or ${MAJOR} of money`,
    isAdded && !ADDITIVE.includes(type) && `aggregation: ${found}, expected ${ADDITIVE.join(', ')}`,
    rows === 'sum' &&
      total === NO_TOTAL &&
      `aggregation: rows are summed, but total is ${NO_TOTAL}; expected a total`,
  ].filter(fault => typeof fault === 'string')
}

function currencyFaults(name: string, { columns, chart }: ReportMatter): string[] {
  const { type, currency, aggregation, hidden = false } = columns[name]!
  if (currency === undefined) return []
  const { type: typeOfCodes, hidden: hasNoCodes = false } = columns[currency] ?? {}
  const isDrawn = chart?.measures.includes(name)
  return [
    (type !== 'money' || hidden) && 'currency: expected a visible column of type money',
    (typeOfCodes !== 'text' || hasNoCodes) &&
      `currency: found "${currency}", expected the key of a visible column of type text`,
    (aggregation?.rows === 'sum' || isDrawn) &&
      'currency: rows of several currencies are summed or drawn, expected neither in aggregation and chart',
  ].filter(fault => typeof fault === 'string')
}

const NO_CURRENCY_OF_FACT = 'currency: expected a fact of type money, and the currency of a column'

function deprecationFaults({ deprecated }: ReportMatter): string[] {
  const { since = '', sunset = since } = deprecated ?? {}
  const bad = [since, sunset].find(date => date !== '' && !isDate(date))
  if (bad !== undefined) return [`found ${bad}, expected a date of the calendar`]
  return sunset < since ? [`sunset ${sunset} is before since ${since}, expected it after`] : []
}

const NO_LABEL = "no visible column of type text, expected one for the totals' label"

function summaryFaults(
  { findings, names }: Summary,
  { fields, returnsTotals }: ReadReport,
): string[] {
  const lacking = fields.filter(
    ({ name, total, role }) =>
      names.has(name) && !isBuiltIn(name) && role !== 'fact' && !hasTotal(total),
  )
  // why: for a visible column, the missing total is already a finding
  const unreported = lacking.filter(({ total, role }) => total !== undefined || role !== 'column')
  const messages = (returnsTotals ? [] : unreported).map(
    ({ name }) => `{${name}} has no total to print, expected a column that has one, or a fact`,
  )
  return [...findings, ...messages]
}

function figureFaults({ findings, names }: Summary): string[] {
  const figures = [...names].filter(name => name === 'row_count' || !isBuiltIn(name))
  if (findings.length > 0 || figures.length > 0) return []
  return ['names no column, expected at least one figure, such as {row_count}']
}
