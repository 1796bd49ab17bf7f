/** Where everything that an answer needs stands in the rows of its run. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import { isDateType } from '../formats/date-range.ts'
import type { Field } from '../replica/prepared.ts'
import type { ColumnType } from '../../model/terms.ts'
import type { DateColumn } from './null-dates.ts'
import { locateReportColumns } from './result-columns.ts'

export interface RowLayout {
  readonly isTotal: number
  /** -1 where the statement does not count its rows. */
  readonly promised: number
  readonly columns: readonly number[]
  readonly summary: ReadonlyArray<readonly [string, number]>
  /** Of the visible columns. */
  readonly dates: readonly DateColumn[]
  /** Of all that the totals row has. */
  readonly totalDates: readonly DateColumn[]
}

/** By what the connection's prepared statement answers, which is one for all of its runs. */
const layouts = new WeakMap<readonly Field[], RowLayout>()

/** @throws as `locateReportColumns` */
export function layoutOf(fields: readonly Field[], definition: ReportDefinition): RowLayout {
  const layout = layouts.get(fields) ?? layOut(fields, definition)
  layouts.set(fields, layout)
  return layout
}

function layOut(fields: readonly Field[], definition: ReportDefinition): RowLayout {
  const places = locateReportColumns(fields, definition)
  const placeOf = (name: string): number => places.get(name) ?? -1
  const visible = definition.columns.map(({ key, type }) => [key, type] as const)
  const all = [...new Map([...visible, ...definition.summaryColumns])]
  const datesOf = (columns: ReadonlyArray<readonly [string, ColumnType]>): DateColumn[] =>
    columns.flatMap(([name, type]) =>
      isDateType(type) ? [{ name, type, fieldIndex: placeOf(name) }] : [],
    )
  return {
    isTotal: placeOf('is_total'),
    promised: placeOf('row_count'),
    columns: definition.columns.map(({ key }) => placeOf(key)),
    summary: all.map(([name]) => [name, placeOf(name)] as const),
    dates: datesOf(visible),
    totalDates: datesOf(all),
  }
}
