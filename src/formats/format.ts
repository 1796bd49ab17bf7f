/** What every format offers: a head, a row, a tail. Knows neither Koa nor pg. */
import type { ReportDefinition, Totals } from '../definitions/definition.ts'
import type { RowBytes, Viewed } from '../row-bytes.ts'
import type { Organization, Period } from '../terms.ts'
import type { Output } from './output.ts'

/** What an answer is about. */
export interface Subject {
  readonly definition: ReportDefinition
  readonly organization: Organization
  readonly period: Period
}

/** Writes one answer. */
export interface BodyWriter {
  head(output: Output): void
  /**
   * @param places in the row, of the definition's visible columns in their order
   * @throws FieldError if a field is not of its column's type.
   */
  row(output: Output, row: RowBytes, places: readonly number[]): void
  /** @throws FieldError if a total is not of its column's type. */
  tail(output: Output, totals: Totals): void
}

export interface Format {
  readonly name: string
  readonly contentType: string
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

/** What stands in the totals row under the first text column. */
export const TOTALS_LABEL = 'Итого'
