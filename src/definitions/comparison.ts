/** What `?compare=` adds to a report: columns, and their values from a row of each period. */
import type { Column, ColumnType, MetricFormat, RawField } from '../model/terms.ts'
import { roleOf } from './column-role.ts'
import type { ComparisonKind } from './comparison-period.ts'
import type { Definition, ReportDefinition } from './definition.ts'
import type { ReportMatter } from './schemas.ts'
import { placeholderIn } from './sql/sql-pieces.ts'

export const MAX_COMPARED_ROWS = 10_000

/** Why a report cannot be compared; undefined if it can. */
export function reportFault(
  definition: ReportDefinition,
): 'today' | 'rows' | 'key' | 'columns' | undefined {
  if (usesTodayItself(definition)) return 'today'
  if (definition.maxRows > MAX_COMPARED_ROWS) return 'rows'
  if (definition.key.length === 0) return 'key'
  const { columns } = compareReport(definition, 'year')
  const areUnique = new Set(columns.map(({ key }) => key)).size === columns.length
  return areUnique && columns.length > definition.columns.length ? undefined : 'columns'
}

/** Whether `:today` occurs: the figures of an earlier period would be those of another day. */
export function usesTodayItself({ statement }: Definition): boolean {
  return statement.pieces.some(piece => placeholderIn(piece) === 'today')
}

/** The report with the columns of a comparison at the end; for the member `compare` of its JSON, without its own measures. */
export function compareReport(
  definition: ReportDefinition,
  kind: ComparisonKind,
  isMember = false,
): ReportDefinition {
  const { columns, source } = definition
  const measures = measuresOf(definition)
  const added = measures.flatMap(({ key }) => figures(key, source.matter.columns[key]!, kind))
  const titled = added.map(([key, { title, type }]): Column => ({ key, title, type }))
  const own = isMember ? columns.filter(column => !measures.includes(column)) : columns
  const matter = {
    ...source.matter,
    columns: { ...source.matter.columns, ...Object.fromEntries(added) },
  }
  return { ...definition, columns: [...own, ...titled], source: { ...source, matter } }
}

function measuresOf(report: ReportDefinition): Column[] {
  return report.columns.filter(column => roleOf(report, column) === 'measure')
}

type ColumnMatter = ReportMatter['columns'][string]

function figures(
  key: string,
  column: ColumnMatter,
  kind: ComparisonKind,
): Array<readonly [key: string, ColumnMatter]> {
  const { title, type, aggregation = {} } = column
  const earlier = kind === 'year' ? 'прошлый год' : 'прошлый период'
  // why: the months before two months are not those before each of them
  const ofPeriods = kind === 'year' ? aggregation : { ...aggregation, periods: 'none' as const }
  const same = { ...column, aggregation: ofPeriods }
  const compared = [`${key}_compared`, { ...same, title: `${title}, ${earlier}` }] as const
  const change = `${key}_change`
  if (type === 'percent') {
    const points = { type: 'number', unit: 'percentage_point' } as const
    return [compared, [change, { title: `${title}, изменение, п. п.`, ...points }]]
  }
  return [
    compared,
    [change, { ...same, title: `${title}, изменение` }],
    [`${change}_percent`, { title: `${title}, изменение, %`, type: 'percent' }],
  ]
}

/** Values by column, as PostgreSQL prints them. */
export type Row = Record<string, RawField>

/** Joins the rows of both periods, of which one may be missing, to a row with the columns of `compareReport`. */
export function createJoinRows(report: ReportDefinition) {
  const measures = measuresOf(report).map(({ key, type }) => {
    // why: so that the changes of rows add up to the change of the total
    const missing = report.source.matter.columns[key]!.aggregation?.rows === 'sum' ? '0' : null
    return { key, type, missing }
  })
  return (ours: Row | undefined, theirs: Row | undefined): Row => {
    const row: Row = { ...theirs, ...ours }
    for (const { key, type, missing } of measures) {
      const before = theirs ? theirs[key]! : missing
      const { change, percent } = changeOf(type, ours ? ours[key]! : missing, before)
      row[key] = ours?.[key] ?? null
      row[`${key}_compared`] = theirs?.[key] ?? null
      row[`${key}_change`] = change
      row[`${key}_change_percent`] = percent
    }
    return row
  }
}

/** The percentage is of the compared value's amount, to one decimal, rounded half away from zero. */
export function changeOf(
  type: ColumnType | MetricFormat,
  requested: RawField,
  compared: RawField,
): { readonly change: RawField; readonly percent: RawField } {
  if (requested === null || compared === null) return { change: null, percent: null }
  const scale = Math.max(decimalCount(requested), decimalCount(compared))
  const before = scaled(compared, scale)
  const difference = scaled(requested, scale) - before
  const change = decimalText(difference, scale)
  if (type === 'percent' || before === 0n) return { change, percent: null }
  const amount = before < 0n ? -before : before
  const half = difference < 0n ? -amount : amount
  return { change, percent: decimalText((2000n * difference + half) / (2n * amount), 1) }
}

function decimalCount(number: string): number {
  return (number.split('.')[1] ?? '').length
}

function scaled(number: string, scale: number): bigint {
  return BigInt(number.replace('.', '') + '0'.repeat(scale - decimalCount(number)))
}

function decimalText(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  const point = digits.length - scale
  const fraction = scale === 0 ? '' : `.${digits.slice(point)}`
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`
}
