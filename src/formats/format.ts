/** What every format offers: a head, a row of raw fields, a tail. Knows neither Koa nor pg. */
import type { ReportDefinition, Totals } from '../definitions/definition.ts'
import type { Organization, Period, RawField } from '../terms.ts'

/** What an answer is about. */
export interface Subject {
  readonly definition: ReportDefinition
  readonly organization: Organization
  readonly period: Period
}

/** Writes one answer. Fields come in the order of the definition's visible columns. */
export interface BodyWriter {
  head(): string
  /** @throws FieldError if a field is not of its column's type. */
  row(fields: readonly RawField[]): string
  /** @throws FieldError if a total is not of its column's type. */
  tail(totals: Totals): string
}

export interface Format {
  readonly name: string
  readonly contentType: string
  createWriter(subject: Subject): BodyWriter
}

/** A value that its column's type cannot take: NaN, kopecks with a fraction. The message is for the log. */
export class FieldError extends Error {
  override readonly name = 'FieldError'
}

/** What stands in the totals row under the first text column. */
export const TOTALS_LABEL = 'Итого'
