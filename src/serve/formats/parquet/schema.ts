/** The schema and metadata of a Parquet file, and PostgreSQL's texts as its values, without floats that would change them. */
import { isUtf8 } from 'node:buffer'
import type { KeyValue, SchemaElement } from 'hyparquet'
import { inclusiveDates } from '../../../definitions/calendar.ts'
import type { ReportDefinition } from '../../../definitions/definition.ts'
import { wordsOfDefinitions } from '../../../definitions/product.ts'
import { currencyFields, unitOf } from '../../../definitions/units.ts'
import type { ByteView } from '../../../model/row-bytes.ts'
import type { Column, ColumnType } from '../../../model/terms.ts'
import { isUtcInstant, MINUS, pointOf, readMinutes, readTwo, SECONDS_LENGTH } from '../digits.ts'
import { readDay, readMonth, ZERO, ZONE_LENGTH } from '../digits.ts'
import { createOutput, takeChunk } from '../output.ts'
import { fieldError, OutputFullError, type BodySubject, type Ending } from '../format.ts'
import { writeTotals } from '../json/json-field.ts'

/** The scale of all DECIMAL columns: Parquet requires one for each column, and PostgreSQL's results have none. */
const DECIMAL_SCALE = 6
/** The maximum for 64 bits. */
const DECIMAL_PRECISION = 18

/** A bigint has 64 bits, a number 32. NaN if the field is not of the type, null if Parquet cannot contain it. */
type Read = (from: ByteView, start: number, end: number) => Uint8Array | bigint | number | null

interface StoredType {
  readonly element: Omit<SchemaElement, 'name'>
  readonly read: Read
}

const INTEGER: StoredType = {
  element: { type: 'INT64' },
  read: (from, start, end) => readScaled(from, start, end, 0),
}
const DECIMAL: StoredType = {
  element: {
    type: 'INT64',
    converted_type: 'DECIMAL',
    precision: DECIMAL_PRECISION,
    scale: DECIMAL_SCALE,
    logical_type: { type: 'DECIMAL', precision: DECIMAL_PRECISION, scale: DECIMAL_SCALE },
  },
  read: (from, start, end) => readScaled(from, start, end, DECIMAL_SCALE),
}
const DATE: StoredType['element'] = {
  type: 'INT32',
  converted_type: 'DATE',
  logical_type: { type: 'DATE' },
}

const TYPES: Readonly<Record<ColumnType, StoredType>> = {
  text: {
    element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
    read: readText,
  },
  integer: INTEGER,
  money: INTEGER,
  number: DECIMAL,
  percent: DECIMAL,
  date: { element: DATE, read: readDay },
  // why: a month is its first day, as with date_trunc, so that it can be joined and compared with dates
  month: { element: DATE, read: readMonth },
  datetime: {
    element: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    read: readMicros,
  },
}

/** The root element, then one element per column. */
export function schemaOf(columns: readonly Column[]): SchemaElement[] {
  const elements = columns.map(({ key, type }): SchemaElement => ({
    name: key,
    repetition_type: 'OPTIONAL',
    ...TYPES[type].element,
  }))
  return [{ name: 'report', num_children: columns.length }, ...elements]
}

/**
 * What the JSON body contains besides its rows, and the units of columns.
 * @throws FieldError if a total is not of its column's type.
 */
export function metadataOf(
  { definition, organization, period, comparison }: BodySubject,
  { totals, summary }: Ending,
): KeyValue[] {
  const { columns, code, title } = definition
  const { timeZone } = organization
  const json = createOutput(true)
  writeTotals(json, definition, timeZone, totals)
  const values = {
    code,
    title,
    period: JSON.stringify(inclusiveDates(period)),
    ...(comparison && { comparison: JSON.stringify(inclusiveDates(comparison)) }),
    timeZone,
    columns: JSON.stringify(columns.map(column => columnMetadata(definition, column))),
    totals: takeChunk(json).toString(),
    summary,
  }
  return Object.entries(values).map(([key, value]) => ({ key: `svodka.${key}`, value }))
}

function columnMetadata(definition: ReportDefinition, column: Column): object {
  const { product, currency } = definition
  const unit = unitOf(definition, column)
  // why: files of a product without product.yaml stay as they were
  const known = wordsOfDefinitions(product) === undefined ? product.currency : undefined
  const money = currencyFields(column, currency, known)
  const { key, title, type } = column
  return { key, title, type, ...(unit !== null && { unit }), ...money }
}

/** @param rowNumber of the response, from 1 @throws FieldError, OutputFullError */
export function createReadValue({ key, type }: Column) {
  const { read } = TYPES[type]
  return (from: ByteView, start: number, end: number, rowNumber: number) => {
    const value = read(from, start, end)
    if (value !== null && !Number.isNaN(value)) return value
    const raw = from.bytes.toString('utf8', start, end)
    throw value === null ? doesNotFit(key, rowNumber, raw) : fieldError(key, type, raw)
  }
}

const WHOLE_DIGITS = DECIMAL_PRECISION - DECIMAL_SCALE

function doesNotFit(key: string, rowNumber: number, raw: string): OutputFullError {
  const value = raw.length > 80 ? `${raw.slice(0, 80)}...` : raw
  return new OutputFullError(texts => texts.notForParquet(rowNumber, key, value, WHOLE_DIGITS))
}

/** Invalid UTF-8 of an SQL_ASCII database is replaced. */
function readText({ bytes }: ByteView, start: number, end: number): Uint8Array {
  const text = bytes.subarray(start, end)
  return isUtf8(text) ? text : Buffer.from(text.toString())
}

const FIVE = ZERO + 5
const DECIMAL_LIMIT = 10n ** BigInt(DECIMAL_PRECISION)

/**
 * Reads `-?\d+`, or `-?\d+(\.\d+)?` if `scale` is above 0, as an integer with `scale` decimals. Further decimals are
 * rounded half away from zero, as PostgreSQL's `round` does.
 */
function readScaled(
  { bytes }: ByteView,
  start: number,
  end: number,
  scale: number,
): bigint | number | null {
  const point = pointOf(bytes, start, end)
  if (point < 0 || (scale === 0 && point < end)) return Number.NaN
  const isNegative = bytes[start] === MINUS
  const last = Math.min(end, point + 1 + scale)
  const missing = scale - Math.max(0, last - point - 1)
  const rounding = last < end && bytes[last]! >= FIVE ? 1 : 0
  let value = 0
  for (let index = isNegative ? start + 1 : start; index < last; index += 1) {
    if (index !== point) value = value * 10 + bytes[index]! - ZERO
  }
  value = value * 10 ** missing + rounding
  if (Number.isSafeInteger(value)) return BigInt(isNegative ? -value : value)
  const digits = bytes.toString('latin1', start, last).replace('.', '') + '0'.repeat(missing)
  const exact = BigInt(digits) + BigInt(isNegative ? -rounding : rounding)
  const fits =
    scale === 0
      ? BigInt.asIntN(64, exact) === exact
      : exact < DECIMAL_LIMIT && exact > -DECIMAL_LIMIT
  return fits ? exact : null
}

const DAY_SECONDS = 86_400
const SECOND_MICROS = 1_000_000n
const FRACTION_DIGITS = 6

function readMicros(from: ByteView, start: number, end: number): bigint | number {
  const { bytes } = from
  const fraction = start + SECONDS_LENGTH + 1
  const zone = end - ZONE_LENGTH
  const isInstant = isUtcInstant(bytes, start, end) && zone - fraction <= FRACTION_DIGITS
  const day = isInstant ? readDay(from, start, start + 10) : Number.NaN
  if (Number.isNaN(day)) return day
  const seconds = readMinutes(bytes, start + 11) * 60 + readTwo(bytes, start + 17)
  let micros = 0
  for (let index = fraction; index < fraction + FRACTION_DIGITS; index += 1) {
    micros = micros * 10 + (index < zone ? bytes[index]! - ZERO : 0)
  }
  return BigInt(day * DAY_SECONDS + seconds) * SECOND_MICROS + BigInt(micros)
}
