/** Finds the columns that a definition declares in its statement's result. */
import type { MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import { locateColumns, ResultColumnsError } from './column-types.ts'
import type { Field } from '../database/result-reader.ts'
import type { ColumnType } from '../../model/terms.ts'

/** @throws ResultColumnsError naming every column that is missing, duplicated or of a wrong type. */
export function locateReportColumns(
  fields: readonly Field[],
  { columns, summaryColumns }: ReportDefinition,
): Map<string, number> {
  const declared = new Map<string, ColumnType>([
    ...columns.map(({ key, type }) => [key, type] as const),
    ...summaryColumns,
  ])
  const indexes = locateColumns(fields, declared)
  if (!indexes.has('is_total')) throw new ResultColumnsError('column "is_total" is missing')
  return indexes
}

/** @throws as `locateReportColumns`. */
export function locateMetrics(
  fields: readonly Field[],
  { metrics }: MetricsDefinition,
): Map<string, number> {
  return locateColumns(fields, new Map(metrics.map(({ code, format }) => [code, format])))
}
