/** The field indexes of a report's columns in its rows. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Field } from '../database/result-reader.ts'
import { perDefinition } from '../formats/per-definition.ts'
import { preparedColumns, type PreparedColumn } from './nulled-values.ts'
import { locateReportColumns } from './result-columns.ts'

export interface RowLayout {
  readonly isTotal: number
  /** Index of `row_count`; -1 if the statement does not count its rows. */
  readonly declared: number
  readonly columns: readonly number[]
  readonly summary: ReadonlyArray<readonly [string, number]>
  /** Visible ones. */
  readonly values: readonly PreparedColumn[]
  /** Of the totals row. */
  readonly totalValues: readonly PreparedColumn[]
}

/** Keyed by the array of fields, of which each prepared statement of a connection has one. */
const layouts = new WeakMap<readonly Field[], ReturnType<typeof perDefinition<RowLayout>>>()

/** @throws as `locateReportColumns` */
export function layoutOf(
  fields: readonly Field[],
  definition: ReportDefinition,
  timeZone: string,
): RowLayout {
  const known = layouts.get(fields)
  if (known !== undefined) return known(definition, timeZone)
  const create = perDefinition((of, zone) => createLayout(fields, of, zone))
  layouts.set(fields, create)
  return create(definition, timeZone)
}

function createLayout(
  fields: readonly Field[],
  definition: ReportDefinition,
  timeZone: string,
): RowLayout {
  const indexes = locateReportColumns(fields, definition)
  const indexOf = (name: string): number => indexes.get(name) ?? -1
  const visible = definition.columns.map(({ key, type }) => [key, type] as const)
  const all = [...new Map([...visible, ...definition.summaryColumns])]
  return {
    isTotal: indexOf('is_total'),
    declared: indexOf('row_count'),
    columns: definition.columns.map(({ key }) => indexOf(key)),
    summary: all.map(([name]) => [name, indexOf(name)] as const),
    values: preparedColumns(visible, fields, indexes, timeZone),
    totalValues: preparedColumns(all, fields, indexes, timeZone),
  }
}
