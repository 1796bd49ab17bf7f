/** Finds the columns that a definition declares in its statement's result. */
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import type { Field } from '../database/rows.ts'
import { perDefinition } from '../formats/per-definition.ts'
import { createValueEnd, isDateType, type ValueEnd } from '../formats/value-end.ts'
import { fitsType, OID, typeName, typesFor } from './column-types.ts'

export interface ResultColumn {
  readonly name: string
  /** Index of the field in a row. */
  readonly fieldIndex: number
  /** For dates and numerics, some of which no format can hold. */
  readonly valueEnd: ValueEnd | undefined
}

/** The result of a definition differs from its declared columns. The message is for the log. */
export class ResultColumnsError extends Error {
  override readonly name = 'ResultColumnsError'
  /** The first wrong column. */
  readonly column: string | undefined

  constructor(message: string, column?: string) {
    super(message)
    this.column = column
  }
}

/**
 * Metrics, or visible columns and then those of the summary.
 * @throws ResultColumnsError naming every column that is missing, selected twice or of a wrong type
 */
export function locateColumns(
  fields: readonly Field[],
  definition: AnyDefinition,
  timeZone: string,
): ResultColumn[] {
  const indexes = new Map(fields.map(({ name }, index) => [name, index]))
  const faults = fields
    .filter(({ name }, index) => indexes.get(name) !== index)
    .map(({ name }) => [name, 'selected twice, expected it once'])
  if (isReport(definition) && !indexes.has('is_total')) {
    faults.push(['is_total', 'not selected, expected it in the select'])
  }
  const columns = Array.from(declaredTypes(definition), ([name, type]) => {
    const fieldIndex = indexes.get(name) ?? -1
    const { typeId } = fields[fieldIndex] ?? {}
    if (typeId === undefined) faults.push([name, 'not selected, expected it in the select'])
    else if (!fitsType(typeId, type))
      faults.push([name, `${typeName(typeId)}, expected ${typesFor(type)} for ${type}`])
    const isPrepared = type !== 'text' && (typeId === OID.NUMERIC || isDateType(type))
    const valueEnd = isPrepared ? createValueEnd(type, timeZone) : undefined
    return { name, fieldIndex, valueEnd }
  })
  if (faults.length === 0) return columns
  const message = faults.map(([name, fault]) => `column "${name}" is ${fault}`).join('; ')
  throw new ResultColumnsError(message, faults[0]![0])
}

function declaredTypes(definition: AnyDefinition): ReadonlyMap<string, ColumnType | MetricFormat> {
  if (!isReport(definition)) {
    return new Map(definition.metrics.map(({ code, format }) => [code, format]))
  }
  const { columns, summaryColumns } = definition
  return new Map([...columns.map(({ key, type }) => [key, type] as const), ...summaryColumns])
}

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
