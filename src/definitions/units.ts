/** Units of columns and metrics. */
import type { Column, ColumnType, MetricFormat } from '../model/terms.ts'
import type { ReportDefinition } from './definition.ts'

/** A unit's name, or the column that names it in each row; null without a unit. */
export type Unit = string | { readonly column: string } | null

/** In JSON, NDJSON, CSV and Parquet; XLSX and CSV for Excel have roubles. */
export const UNITS: Readonly<Partial<Record<ColumnType | MetricFormat, string>>> = {
  money: 'kopeck',
  percent: 'percent',
  days: 'day',
  hours: 'hour',
}

export function unitOf({ source, columns }: ReportDefinition, { key, type }: Column): Unit {
  const { unit } = source.matter.columns[key]!
  if (unit === undefined) return UNITS[type] ?? null
  return columns.some(column => column.key === unit) ? { column: unit } : unit
}
