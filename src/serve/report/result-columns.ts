/** Finds the columns that a definition declares in its statement's result. */
import type { MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import type { Field } from '../database/result-reader.ts'
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

/** Visible columns, then those of the summary. @throws ResultColumnsError naming every column that is missing, selected twice or of a wrong type */
export function locateReportColumns(
  fields: readonly Field[],
  { columns, summaryColumns }: ReportDefinition,
  timeZone: string,
): ResultColumn[] {
  const visible = columns.map(({ key, type }) => [key, type] as const)
  const located = locateColumns(fields, new Map([...visible, ...summaryColumns]), timeZone)
  if (fields.some(({ name }) => name === 'is_total')) return located
  throw new ResultColumnsError('column "is_total" is missing')
}

/** @throws as `locateReportColumns` */
export function locateMetrics(
  fields: readonly Field[],
  { metrics }: MetricsDefinition,
  timeZone: string,
): ResultColumn[] {
  const wanted = metrics.map(({ code, format }) => [code, format] as const)
  return locateColumns(fields, new Map(wanted), timeZone)
}

function locateColumns(
  fields: readonly Field[],
  wanted: ReadonlyMap<string, ColumnType | MetricFormat>,
  timeZone: string,
): ResultColumn[] {
  const indexes = new Map(fields.map(({ name }, index) => [name, index]))
  const faults = fields
    .filter(({ name }, index) => indexes.get(name) !== index)
    .map(({ name }) => [name, 'selected twice, expected it once'])
  const columns = Array.from(wanted, ([name, type]) => {
    const fieldIndex = indexes.get(name) ?? -1
    const { typeId } = fields[fieldIndex] ?? {}
    const isNumeric = typeId === OID.NUMERIC
    if (typeId === undefined) faults.push([name, 'not selected, expected it in the select'])
    else if (!fitsType(typeId, type))
      faults.push([name, `${typeName(typeId)}, expected ${typesFor(type)} for ${type}`])
    const isPrepared = type !== 'text' && (isNumeric || isDateType(type))
    const valueEnd = isPrepared ? createValueEnd(type, timeZone) : undefined
    return { name, fieldIndex, valueEnd }
  })
  if (faults.length === 0) return columns
  const message = faults.map(([name, fault]) => `column "${name}" is ${fault}`).join('; ')
  throw new ResultColumnsError(message, faults[0]![0])
}
