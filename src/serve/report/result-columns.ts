/** Finds the columns that a definition declares in its statement's result, with their types, and prepares their values. */
import { types } from 'pg'
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import type { ReportDefinition, Definition } from '../../definitions/definition.ts'
import { currencyIn, type Product } from '../../definitions/product.ts'
import { currencyOfTotal, isMajor } from '../../definitions/units.ts'
import { minorText } from '../../model/currency.ts'
import type { ColumnType, MetricFormat, RawField } from '../../model/terms.ts'
import type { Field } from '../database/rows.ts'
import type { Observe } from '../../model/observation.ts'
import { rawField, type RowBytes } from '../../model/row-bytes.ts'
import { createValueEnd, isDateType, type ValueEnd } from '../formats/plain-field.ts'
import { currencyOfRows, onceFor, type CurrencyOfRow } from '../formats/format.ts'

/** Name to OID. @see https://www.postgresql.org/docs/current/catalog-pg-type.html OIDs of built-in types never change. */
export const OID: Readonly<Record<keyof typeof types.builtins, number>> = types.builtins

const NUMBERS: readonly number[] = [OID.INT2, OID.INT4, OID.INT8, OID.NUMERIC]

/** For types that are neither texts nor numbers. */
const ALLOWED: Readonly<Partial<Record<ColumnType | MetricFormat, readonly number[]>>> = {
  date: [OID.DATE],
  month: [OID.DATE, OID.TEXT, OID.VARCHAR, OID.BPCHAR],
  datetime: [OID.TIMESTAMPTZ],
}

export function typeName(typeId: number): string {
  const found = Object.entries(OID).find(([, oid]) => oid === typeId)
  return found?.[0].toLowerCase() ?? `type ${typeId}`
}

/** `text` takes any type but a float: identifiers and codes are printed as PostgreSQL prints them. */
export function fitsType(typeId: number, type: ColumnType | MetricFormat): boolean {
  if (type === 'text') return typeId !== OID.FLOAT4 && typeId !== OID.FLOAT8
  return (ALLOWED[type] ?? NUMBERS).includes(typeId)
}

/** The allowed types of a column, for messages. */
export function typesFor(type: ColumnType | MetricFormat): string {
  if (type === 'text') return 'any type but a float'
  return (ALLOWED[type] ?? NUMBERS).map(typeName).join(' or ')
}

/** Whether a division that returns this type drops the fraction. */
export function losesFraction(typeId: number): boolean {
  return typeId !== OID.NUMERIC && NUMBERS.includes(typeId)
}

export interface ResultColumn {
  readonly name: string
  /** Index of the field in a row. */
  readonly fieldIndex: number
  /** For dates and numerics, some of which no format can hold. */
  readonly valueEnd: ValueEnd | undefined
  /** Of money that comes in whole units; undefined for other values. */
  readonly currencyOf: CurrencyOfRow | undefined
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
    const currencyOf = isMajor(definition, name) ? currencyOfRows(definition, name) : undefined
    return { name, fieldIndex, valueEnd, currencyOf }
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

/** why: each prepared statement of a connection has one array of fields */
const layouts = onceFor((fields: readonly Field[]) =>
  onceFor((definition, timeZone) => createLayout(fields, definition, timeZone)),
)

/** @throws as `locateColumns` */
export function layoutOf(
  fields: readonly Field[],
  definition: ReportDefinition,
  timeZone: string,
): ReturnType<typeof createLayout> {
  return layouts(fields, '')(definition, timeZone)
}

function createLayout(fields: readonly Field[], definition: ReportDefinition, timeZone: string) {
  /** The columns of the totals row. */
  const columns = locateColumns(fields, definition, timeZone)
  const visible = columns.slice(0, definition.columns.length)
  return {
    columns,
    /** Field indexes of the visible columns. */
    visible: visible.map(({ fieldIndex }) => fieldIndex),
    /** The visible columns whose values are prepared. */
    prepared: visible.filter(({ valueEnd, currencyOf }) => (valueEnd ?? currencyOf) !== undefined),
    codes: codesOf(definition, visible),
    codesOfTotals: codesOf(definition, columns),
    isTotal: fields.findIndex(({ name }) => name === 'is_total'),
    /** -1 if the statement does not count its rows. */
    rowCount: fields.findIndex(({ name }) => name === 'row_count'),
  }
}

/** The columns with the currencies of money, which has the name `money`; with the only code, if a parameter fixes it. */
function codesOf(definition: ReportDefinition, located: readonly ResultColumn[]) {
  const { columns, facts = {} } = definition.source.matter
  return located.flatMap(({ name: money, fieldIndex: amountIndex }) => {
    const name = (columns[money] ?? facts[money])?.currency
    if (name === undefined) return []
    const { fieldIndex } = located.find(one => one.name === name)!
    const fixed = currencyOfTotal(definition, money)?.code
    return [{ name, fieldIndex, money, amountIndex, fixed }]
  })
}

/**
 * @param counts of unknown codes, by column
 * @throws ResultColumnsError for another code than the parameter's; for an unknown one of an amount with decimals
 */
export function checkCodes(
  row: RowBytes,
  columns: ReturnType<typeof codesOf>,
  product: Product,
  counts: NulledCounts,
): void {
  for (const { name, fieldIndex, money, amountIndex, fixed } of columns) {
    const code = rawField(row, fieldIndex)
    if (fixed !== undefined && code !== fixed)
      throw wrongCode(name, code, `${fixed} as the parameter`)
    if (currencyIn(product, code ?? '') !== undefined) continue
    const amount = rawField(row, amountIndex)
    if (amount?.includes('.'))
      throw wrongCode(name, code, `a code of ISO 4217: ${money} is ${amount} of an unknown unit`)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
}

function wrongCode(name: string, code: RawField, expected: string): ResultColumnsError {
  const found = JSON.stringify(code)
  return new ResultColumnsError(`column "${name}" is ${found}, expected ${expected}`, name)
}

/** Column to the number of values that became null. */
export type NulledCounts = Map<string, number>

/** Prepares the values of a row in place. @param visible indexes of the visible columns */
export function prepareValues(
  row: RowBytes,
  columns: readonly ResultColumn[],
  visible: readonly number[],
  counts: NulledCounts,
): void {
  const { starts, ends } = row
  for (let index = 0; index < columns.length; index += 1) {
    const { name, fieldIndex, valueEnd, currencyOf } = columns[index]!
    const start = starts[fieldIndex]!
    if (start < 0) continue
    const end = valueEnd?.(row, start, ends[fieldIndex]!) ?? ends[fieldIndex]!
    if (end >= 0) ends[fieldIndex] = end
    else {
      starts[fieldIndex] = -1
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    const digits = end < 0 ? undefined : currencyOf?.(row, visible)?.digits
    if (digits !== undefined) writeMinor(row, fieldIndex, digits)
  }
}

/** Writes the value in the smallest unit, unless it has more digits than that: then its format refuses it. */
function writeMinor(row: RowBytes, index: number, digits: number): void {
  const { bytes, starts, ends } = row
  const text = minorText(rawField(row, index)!, digits)
  if (text === undefined) return
  // why: it may be longer by as many bytes as precede it, which had its length
  starts[index] = ends[index]! - text.length
  bytes.write(text, starts[index], 'latin1')
}

export function observeNulled(
  observe: Observe,
  { name: definition }: Definition,
  counts: ReadonlyMap<string, number>,
  kind: 'values-nulled' | 'currencies-unknown' = 'values-nulled',
): void {
  counts.forEach((valueCount, column) => observe({ kind, definition, column, valueCount }))
}
