/** Where the columns that a definition declares stand in its statement's result. */
import type { MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import { locateColumns, ResultShapeError } from '../replica/column-types.ts'
import type { Field } from '../replica/prepared.ts'
import type { ColumnType } from '../../model/terms.ts'

/** @throws ResultShapeError naming every column that is missing, twice there or of a wrong type. */
export function locateReportColumns(
  fields: readonly Field[],
  { columns, summaryColumns }: ReportDefinition,
): Map<string, number> {
  const wanted = new Map<string, ColumnType>([
    ...columns.map(({ key, type }) => [key, type] as const),
    ...summaryColumns,
  ])
  const places = locateColumns(fields, wanted)
  if (!places.has('is_total')) throw new ResultShapeError('column "is_total" is missing')
  return places
}

/** @throws as `locateReportColumns`. */
export function locateMetrics(
  fields: readonly Field[],
  { metrics }: MetricsDefinition,
): Map<string, number> {
  return locateColumns(fields, new Map(metrics.map(({ code, format }) => [code, format])))
}
