/** What `?compare=` adds to a report: columns, and their values from a row of each period. */
import type { Column, ColumnType, MetricFormat, RawField } from '../model/terms.ts'
import { isReport, type AnyDefinition } from './any-definition.ts'
import { roleOf } from './column-role.ts'
import { createMonthPairs } from './comparison-period.ts'
import type { ComparedPeriods, ComparisonKind } from './comparison-period.ts'
import type { ReportDefinition } from './definition.ts'
import type { ReportMatter } from './schemas.ts'
import { placeholderIn } from './sql/sql-pieces.ts'
import { textsIn } from '../texts/texts.ts'

export const MAX_COMPARED_ROWS = 10_000

/** Whether rows can be matched, and no figure of an earlier period would be one of another day. */
export function isComparable(definition: AnyDefinition): boolean {
  const usesToday = definition.statement.pieces.some(piece => placeholderIn(piece) === 'today')
  if (usesToday || !isReport(definition)) return !usesToday
  const { columns } = compareReport(definition, 'year')
  const areUnique = new Set(columns.map(({ key }) => key)).size === columns.length
  const { columns: own, key, maxRows } = definition
  return columns.length > own.length && areUnique && key.length > 0 && maxRows <= MAX_COMPARED_ROWS
}

/** The report with the columns of a comparison at the end; for the member `compare` of its JSON, without its own measures. */
export function compareReport(
  definition: ReportDefinition,
  kind: ComparisonKind,
  isMember = false,
): ReportDefinition {
  const { columns, source } = definition
  const measures = measuresOf(definition)
  const texts = textsIn(definition.product.language).bodies.comparison
  const added: Record<string, ReportMatter['columns'][string]> = {}
  const titled: Column[] = []
  const add = (key: string, column: (typeof added)[string], currency?: Column['currency']) => {
    const { title, type } = column
    added[key] = column
    titled.push({ key, title, type, ...(currency && type === 'money' && { currency }) })
  }
  for (const { key, title, type, currency } of measures) {
    const column = source.matter.columns[key]!
    // why: the months before two months are not those before each of them
    const ofPrevious = { ...column.aggregation, periods: 'none' } as const
    const same = kind === 'year' ? column : { ...column, aggregation: ofPrevious }
    const [isPercent, change] = [type === 'percent', `${title}, ${texts.change}`]
    const points = {
      type: 'number',
      unit: 'percentage_point',
      title: `${change}, ${texts.points}`,
    } as const
    add(`${key}_compared`, { ...same, title: `${title}, ${texts[kind]}` }, currency)
    add(`${key}_change`, isPercent ? points : { ...same, title: change }, currency)
    if (!isPercent) add(`${key}_change_percent`, { type: 'percent', title: `${change}, %` })
  }
  for (const { key, title } of monthsOf(definition))
    add(`${key}_compared`, { type: 'month', title: `${title}, ${texts[kind]}` })
  const own = isMember ? columns.filter(column => !measures.includes(column)) : columns
  const matter = { ...source.matter, columns: { ...source.matter.columns, ...added } }
  return { ...definition, columns: [...own, ...titled], source: { ...source, matter } }
}

function measuresOf(report: ReportDefinition): Column[] {
  // why: rows of one key may be in another currency
  const isOfKey = ({ currency }: Column): boolean =>
    currency === undefined || !('column' in currency) || report.key.includes(currency.column)
  return report.columns.filter(one => roleOf(report, one) === 'measure' && isOfKey(one))
}

/** Of the key: rows with months at the same position in their periods are compared. */
function monthsOf({ columns, key: keys }: ReportDefinition): Column[] {
  return columns.filter(({ key, type }) => type === 'month' && keys.includes(key))
}

/** Values by column, as PostgreSQL prints them. */
export type Row = Record<string, RawField>

/** @returns a function that joins rows, or totals, of both periods, of which one may be missing, by the columns of `compareReport` */
export function createJoin(report: ReportDefinition, isMember: boolean, periods: ComparedPeriods) {
  const measures = measuresOf(report)
  const months = monthsOf(report)
  const pairOf = createMonthPairs(periods)
  const own = report.columns.filter(column => !isMember || !measures.includes(column))
  return (ours?: Row, theirs?: Row, isTotals = false): RawField[] => {
    const ofOwn = (one: Column) => (measures.includes(one) ? ours : (ours ?? theirs))?.[one.key]
    const row = own.map(one => ofOwn(one) ?? null)
    const pairs = isTotals ? [] : months.map(({ key }) => pairOf(ours?.[key], theirs?.[key]))
    const isAlike = pairs.every(pair => pair.isAlike)
    for (const { key, type } of measures) {
      // why: so that the changes of rows add up to the change of the total
      const missing = report.source.matter.columns[key]!.aggregation?.rows === 'sum' ? '0' : null
      const [value, before] = [ours, theirs].map(one => (one ? one[key]! : missing))
      const { change, percent } = changeOf(type, isAlike ? value! : null, before!)
      row.push(theirs?.[key] ?? null, change, ...(type === 'percent' ? [] : [percent]))
    }
    return [...row, ...months.map(({ key }, at) => theirs?.[key] ?? pairs[at]?.compared ?? null)]
  }
}

/** The percentage is of the compared value's amount, to one decimal, rounded half away from zero. */
export function changeOf(type: ColumnType | MetricFormat, requested: RawField, compared: RawField) {
  if (requested === null || compared === null) return { change: null, percent: null }
  const scale = Math.max(...[requested, compared].map(one => (one.split('.')[1] ?? '').length))
  const before = scaled(compared, scale)
  const difference = scaled(requested, scale) - before
  const change = decimalText(difference, scale)
  if (type === 'percent' || before === 0n) return { change, percent: null }
  const amount = before < 0n ? -before : before
  const half = difference < 0n ? -amount : amount
  return { change, percent: decimalText((2000n * difference + half) / (2n * amount), 1) }
}

function scaled(number: string, scale: number): bigint {
  const [whole = '', fraction = ''] = number.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

function decimalText(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  const point = digits.length - scale
  const fraction = scale === 0 ? '' : `.${digits.slice(point)}`
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`
}
