/** The field indexes of a report's columns in its rows. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Field } from '../database/result-reader.ts'
import { perDefinition } from '../formats/per-definition.ts'
import { locateColumns } from './result-columns.ts'

type RowLayout = ReturnType<typeof createLayout>

/** Keyed by the array of fields, of which each prepared statement of a connection has one. */
const layouts = new WeakMap<readonly Field[], ReturnType<typeof perDefinition<RowLayout>>>()

/** @throws as `locateColumns` */
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

function createLayout(fields: readonly Field[], definition: ReportDefinition, timeZone: string) {
  /** Of the totals row. */
  const columns = locateColumns(fields, definition, timeZone)
  const visible = columns.slice(0, definition.columns.length)
  return {
    columns,
    /** Field indexes of the visible columns. */
    visible: visible.map(({ fieldIndex }) => fieldIndex),
    /** The visible columns whose values are prepared. */
    prepared: visible.filter(({ valueEnd }) => valueEnd !== undefined),
    isTotal: fields.findIndex(({ name }) => name === 'is_total'),
    /** -1 if the statement does not count its rows. */
    rowCount: fields.findIndex(({ name }) => name === 'row_count'),
  }
}
