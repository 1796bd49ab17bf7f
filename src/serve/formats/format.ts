/** The interface of all formats: head, row, tail; and rows of strings. Knows neither Koa nor pg. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { ParameterValues, ReportDefinition } from '../../definitions/definition.ts'
import { currencyIn } from '../../definitions/product.ts'
import { columnsOf, currencyOfName } from '../../definitions/units.ts'
import type { Currency } from '../../model/currency.ts'
import { Problem, type Detail } from '../../model/errors.ts'
import { rawField, viewOf, type RowBytes, type ByteView } from '../../model/row-bytes.ts'
import type { ColumnType, Instant, IsoDate, MetricFormat, Organization } from '../../model/terms.ts'
import type { Period, RawField } from '../../model/terms.ts'
import type { Output } from './output.ts'

/** What the rows of a body belong to. */
export interface BodySubject {
  readonly definition: ReportDefinition
  readonly organization: Organization
  readonly period: Period
  readonly parameters: ParameterValues
  /** The period that it is compared with; undefined without a comparison. */
  readonly comparison?: Period | undefined
  /** In the organization's time zone. */
  readonly today: IsoDate
  /** The data is at least as new as this; undefined if unknown. */
  readonly dataAsOf: Instant | undefined
}

/** What is known after the last row. */
export interface Ending {
  /** Column key to its text in the totals row; the value of the label column is ignored. */
  readonly totals: ReadonlyMap<string, RawField>
  readonly rowCount: number
  readonly summary: string
}

/** Writes one body. */
export interface BodyWriter {
  head(output: Output): void
  /**
   * @param indexes of the definition's visible columns in the row
   * @throws FieldError if a field is not of its column's type; OutputFullError if the format cannot contain it
   */
  row(output: Output, row: RowBytes, indexes: readonly number[]): void
  /** Does a part of the pending work, such as compression. Call it after each row and the tail until it returns false. */
  step?(): boolean
  /** @throws FieldError if a total is not of its column's type; OutputFullError */
  tail(output: Output, ending: Ending): void
}

export interface Format {
  /** Used in cache keys: formats with equal names write equal bytes. */
  readonly name: string
  /** The suffix of files and paths, without the point. */
  readonly extension: string
  readonly contentType: string
  /** Whether the body is UTF-8 text, which is compressed for clients. */
  readonly isText: boolean
  /** Undefined if the format has no limit. */
  readonly maxRows?: number
  /** Loads what `createWriter` needs, and precedes it; undefined if nothing has to be loaded. */
  load?(): Promise<void>
  createWriter(subject: BodySubject): BodyWriter
}

/**
 * Writes a field in a format. The caller must reserve space.
 * @returns its end; -1 if the field is not of the type
 */
export type WriteBytes = (
  from: ByteView,
  start: number,
  end: number,
  to: ByteView,
  at: number,
) => number

/** A value is not of its column's type: NaN, kopecks with a fraction. The message is only logged. */
export class FieldError extends Error {
  override readonly name = 'FieldError'
}

/** @param key of a column, or code of a metric */
export function fieldError(
  key: string,
  type: ColumnType | MetricFormat,
  raw: RawField,
): FieldError {
  return new FieldError(`${key}: ${JSON.stringify(raw)} is no ${type}`)
}

/** A valid value that one format cannot contain, but others can. */
export class OutputFullError extends Problem {
  /** @param detail the value, the limit of the format, and the alternative */
  constructor(detail: Detail) {
    super('result_too_large', detail)
  }
}

/** Of the money of a column in a row. @param indexes of the visible columns */
export type CurrencyOfRow = (row: RowBytes, indexes: readonly number[]) => Currency | undefined

/** @param name of a column, fact or metric @returns a function that gives undefined for an unknown code or null: then money is a plain number. */
export function currencyOfRows(definition: AnyDefinition, name: string): CurrencyOfRow {
  const found = currencyOfName(definition, name)
  if (!('column' in found)) return () => found
  const at = columnsOf(definition).findIndex(({ key }) => key === found.column)
  return (row, indexes) => currencyIn(definition.product, rawField(row, indexes[at]!) ?? '')
}

/** why: organizations' data determine the number of zones */
const MAX_KEYS = 50

/** @param make is called once for each object, such as a definition, and key */
export function onceFor<T, O extends object = ReportDefinition, K = string>(
  make: (of: O, key: K) => T,
): typeof make {
  const made = new WeakMap<O, Map<K, T>>()
  return (of, key) => {
    const byKey = made.get(of) ?? new Map<K, T>()
    const cached = byKey.get(key)
    if (cached !== undefined) return cached
    const value = make(of, key)
    if (byKey.size >= MAX_KEYS) byKey.clear()
    made.set(of, byKey.set(key, value))
    return value
  }
}

export function rowOfTexts(texts: readonly RawField[]): RowBytes {
  const bytes = Buffer.from(texts.join(''))
  const starts = new Int32Array(texts.length)
  const ends = new Int32Array(texts.length)
  let at = 0
  for (const [index, text] of texts.entries()) {
    starts[index] = text === null ? -1 : at
    at += Buffer.byteLength(text ?? '')
    ends[index] = at
  }
  const fieldCount = texts.length
  return { bytes, view: viewOf(bytes), start: 0, end: at, starts, ends, fieldCount }
}

/** The totals of the visible columns in order, with the label. */
export function totalsOf(
  { columns, labelColumn, product }: ReportDefinition,
  totals: Ending['totals'],
): RawField[] {
  return columns.map(({ key }) => (key === labelColumn ? product.total : (totals.get(key) ?? null)))
}

/** @see totalsOf */
export function totalsRow(definition: ReportDefinition, totals: Ending['totals']): RowBytes {
  return rowOfTexts(totalsOf(definition, totals))
}

/** Field indexes of such rows, up to PostgreSQL's maximum of 1664 columns. */
export const IN_ORDER: readonly number[] = Array.from({ length: 1664 }, (_, index) => index)
