/** Units of columns and metrics. */
import { unitOfMoney, type Currency } from '../model/currency.ts'
import type { Column, ColumnType, MetricFormat } from '../model/terms.ts'
import type { ReportDefinition } from './definition.ts'

/** A unit's name, or the column that names it in each row; null without a unit. */
export type Unit = string | { readonly column: string } | null

const UNITS: Readonly<Partial<Record<ColumnType | MetricFormat, string>>> = {
  percent: 'percent',
  days: 'day',
  hours: 'hour',
}

/** In JSON, NDJSON, CSV and Parquet; XLSX and CSV for Excel have whole units of the currency. */
export function unitOfType(type: ColumnType | MetricFormat, currency: Currency): string | null {
  return type === 'money' ? unitOfMoney(currency) : (UNITS[type] ?? null)
}

export function unitOf(definition: ReportDefinition, { key, type }: Column): Unit {
  const { source, columns, currency } = definition
  const { unit } = source.matter.columns[key]!
  if (unit === undefined) return unitOfType(type, currency)
  return columns.some(column => column.key === unit) ? { column: unit } : unit
}

/** For money only. @param known the currency that need not be named */
export function currencyFields(
  type: ColumnType | MetricFormat,
  currency: Currency,
  known?: Currency,
): object {
  const { code, digits } = currency
  return type === 'money' && currency !== known ? { currency: code, digits } : {}
}
