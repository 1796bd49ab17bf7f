/** What every format offers: a head, a row, a tail. Knows neither Koa nor pg. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { RowBytes, Viewed } from '../../model/row-bytes.ts'
import type { ColumnType, MetricFormat, Organization, Period, RawField } from '../../model/terms.ts'
import type { Output } from './output.ts'

/** What an answer is about. */
export interface Subject {
  readonly definition: ReportDefinition
  readonly organization: Organization
  readonly period: Period
}

/** What is known of an answer after its last row. */
export interface Ending {
  /** Column key to what PostgreSQL printed in the totals row; that of the label is not to be read. */
  readonly totals: ReadonlyMap<string, RawField>
  readonly rowCount: number
  readonly summary: string
}

/** Writes one answer. */
export interface BodyWriter {
  head(output: Output): void
  /**
   * @param places in the row, of the definition's visible columns in their order
   * @throws FieldError if a field is not of its column's type; NoRoomError if there is no room for it.
   */
  row(output: Output, row: RowBytes, places: readonly number[]): void
  /**
   * Does a part of what rows have left to be done, such as compressing them; to be called after each row until it
   * returns false. What is not done this way is done at once by the next `row` or `tail`.
   */
  step?(): boolean
  /** @throws FieldError if a total is not of its column's type; NoRoomError. */
  tail(output: Output, ending: Ending): void
}

export interface Format {
  /** In cache keys: formats of one name write the same. */
  readonly name: string
  /** Of files, and of paths. */
  readonly extension: string
  readonly contentType: string
  /** Bytes that are UTF-8, and worth a content coding. */
  readonly isText: boolean
  /** Where no file can have more rows. */
  readonly maxRows?: number
  createWriter(subject: Subject): BodyWriter
}

/**
 * Writes a field in the format's own way and answers where that ends; -1 where it is not of the type.
 * Whoever calls has made room for it.
 */
export type WriteBytes = (
  from: Viewed,
  start: number,
  end: number,
  to: Viewed,
  at: number,
) => number

/** A value that its column's type cannot take: NaN, kopecks with a fraction. The message is for the log. */
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

/** What is of its column's type, and what the format has no room for. Other formats have. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
  /** For who asked: what was found, what there is room for, what to do. */
  readonly detail: { readonly ru: string; readonly en: string }

  constructor(detail: { readonly ru: string; readonly en: string }) {
    super(detail.en)
    this.detail = detail
  }
}

/** What stands in the totals row under the first text column. */
export const TOTALS_LABEL = 'Итого'
