/** The interface of all formats: head, row, tail. Knows neither Koa nor pg. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import { Problem, type Detail } from '../../model/errors.ts'
import type { RowBytes, ByteView } from '../../model/row-bytes.ts'
import type {
  ColumnType,
  Instant,
  IsoDate,
  MetricFormat,
  Organization,
  Period,
  RawField,
} from '../../model/terms.ts'
import type { Output } from './output.ts'

/** What the rows of a body belong to. */
export interface BodySubject {
  readonly definition: ReportDefinition
  readonly organization: Organization
  readonly period: Period
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

/** Label of the totals row, in the first text column. */
export const TOTALS_LABEL = 'Итого'
