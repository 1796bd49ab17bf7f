/** The field indexes of a report's columns in its rows. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Field } from '../database/prepared.ts'
import { valueColumns, type ValueColumn } from './nulled-values.ts'
import { locateReportColumns } from './result-columns.ts'

export interface RowLayout {
  readonly isTotal: number
  /** Index of `row_count`; -1 if the statement does not count its rows. */
  readonly declared: number
  readonly columns: readonly number[]
  readonly summary: ReadonlyArray<readonly [string, number]>
  /** Dates and numerics of visible columns. */
  readonly values: readonly ValueColumn[]
  /** Dates and numerics of the totals row. */
  readonly totalValues: readonly ValueColumn[]
}

/** Keyed by the array of fields, of which each prepared statement of a connection has one. */
const layouts = new WeakMap<readonly Field[], RowLayout>()

/** @throws as `locateReportColumns` */
export function layoutOf(fields: readonly Field[], definition: ReportDefinition): RowLayout {
  const layout = layouts.get(fields) ?? createLayout(fields, definition)
  layouts.set(fields, layout)
  return layout
}

function createLayout(fields: readonly Field[], definition: ReportDefinition): RowLayout {
  const indexes = locateReportColumns(fields, definition)
  const indexOf = (name: string): number => indexes.get(name) ?? -1
  const visible = definition.columns.map(({ key, type }) => [key, type] as const)
  const all = [...new Map([...visible, ...definition.summaryColumns])]
  return {
    isTotal: indexOf('is_total'),
    declared: indexOf('row_count'),
    columns: definition.columns.map(({ key }) => indexOf(key)),
    summary: all.map(([name]) => [name, indexOf(name)] as const),
    values: valueColumns(visible, fields, indexes),
    totalValues: valueColumns(all, fields, indexes),
  }
}
