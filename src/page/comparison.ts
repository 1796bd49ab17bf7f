/** Comparison with another period: the choice, and the texts beneath values. */
import type { ReportDescription } from './api.ts'
import { h } from './dom.ts'
import { formatChange, formatValue, type Row } from './format.ts'
import type { CellValue } from './format.ts'
import { TEXTS } from './texts.ts'

/** Hidden if the report cannot be compared. The value is `previous`, `year`, or empty without a comparison. */
export function comparisonChoice(
  { compare: kinds }: ReportDescription,
  onChange: (compare: string | undefined) => void,
): HTMLSelectElement {
  const options = ['', ...kinds].map(value =>
    h('option', { value }, TEXTS.comparisons[value] ?? value),
  )
  const aria = { label: TEXTS.comparison }
  const select = h('select', { hidden: kinds.length === 0, aria }, ...options)
  select.addEventListener('change', () => onChange(select.value || undefined))
  return select
}

/** `1,200.00 · +9.9%`: the compared value and the change of a measure. */
export function comparisonText(row: Row, key: string, type: string): string {
  const compared = formatValue(row[`${key}_compared`], type)
  const change = changeOf(row[`${key}_change`], row[`${key}_change_percent`], type)
  return change === '' ? compared : `${compared} · ${change}`
}

/** In percent or, without one, in the unit of the value; empty without a change. */
export function changeOf(
  change: CellValue | undefined,
  percent: CellValue | undefined,
  type: string,
): string {
  if (typeof percent === 'number') return formatChange(percent, 'change')
  return typeof change === 'number' ? formatChange(change, type) : ''
}

/** Adds to the sums of rows those of their compared values. @param key of a summed measure */
export function sumCompared(rows: readonly Row[], key: string, sum: number): [string, CellValue][] {
  const compared = rows.reduce((total, row) => total + Number(row[`${key}_compared`] ?? 0), 0)
  // why: months of other days have none, and neither has their sum
  const isOf = (row: Row): boolean => (row[key] ?? row[`${key}_compared`] ?? null) !== null
  const isKnown = rows.every(row => row[`${key}_change`] !== null || !isOf(row))
  const change = sum - compared
  const percent = compared === 0 ? null : Math.round((change / Math.abs(compared)) * 1000) / 10
  return [
    [`${key}_compared`, compared],
    [`${key}_change`, isKnown ? change : null],
    [`${key}_change_percent`, isKnown ? percent : null],
  ]
}
