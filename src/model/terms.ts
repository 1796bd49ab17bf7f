/**
 * The words of the house, one meaning each. Every room may import this file; it imports nothing.
 *
 * A request is a value that becomes the next value:
 *
 *     API key -> Organization -> Definition -> Period -> ReportRequest -> CacheKey -> Body -> Response
 *
 * - **organization**: the tenant that an API key belongs to.
 * - **definition**: a parsed file of SQL with front matter; the **catalog** is all of them.
 * - **period**: half-open dates in the organization's time zone.
 * - **placeholder** / **binding**: `:name` in SQL / what is bound to it.
 * - **run**: one execution of a definition's statement on the replica.
 * - **rows** / **body**: what PostgreSQL returned / the encoded bytes.
 * - **fresh** / **stale**: may be served / may be served only when nothing newer can be had.
 * - **alias**: the words of a request, which lead to its cached response on the **fast path** before Koa.
 * - **dataAsOf** / **lag**: the instant that the data shows / how far behind the primary that is.
 */

export type Milliseconds = number
export type Seconds = number
export type Bytes = number

/** So much execution time in so much time. */
export interface OrganizationBudget {
  readonly executionMs: Milliseconds
  readonly windowMs: Milliseconds
}

/** What an organization may still use of its budget. */
export interface BudgetState {
  readonly remainingMs: Milliseconds
  /** Until it is whole again; where nothing remains, until something does. */
  readonly resetSeconds: Seconds
}

/** A calendar date, `YYYY-MM-DD`, in the organization's time zone. */
export type IsoDate = string

/** An instant, RFC 3339 in UTC, as in `2026-11-21T10:00:00.000Z`. */
export type Instant = string

/** The clock that is handed in: milliseconds since the epoch. */
export type Clock = () => Milliseconds

/**
 * Formats of a report, by the extension of its path; each is in `serve/formats/catalog.ts`. The first is the default;
 * of those that `Accept` prefers equally, as `text/*` does, the first is sent.
 */
export const REPORT_FORMATS = ['json', 'ndjson', 'csv', 'xlsx', 'parquet'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

/** Whom a key belongs to, as the product's database says at this moment. */
export interface Organization {
  /** As PostgreSQL prints it: a UUID, an integer, a text. */
  readonly id: string
  /** The PostgreSQL type of the id, which `:organization_id` is cast to: `uuid`, `integer`, ... */
  readonly idType: string
  /** IANA name, as in `Europe/Moscow`. */
  readonly timeZone: string
  /** Whether the account's tier includes the API. */
  readonly entitled: boolean
}

/** Half-open: `[start, end)`. The API's `to` is the day before `end`. */
export interface Period {
  readonly start: IsoDate
  readonly end: IsoDate
}

export const COLUMN_TYPES = [
  'text',
  'date',
  'month',
  'datetime',
  'integer',
  'number',
  'percent',
  'money',
] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

export const METRIC_FORMATS = ['money', 'percent', 'integer', 'number', 'days', 'hours'] as const
export type MetricFormat = (typeof METRIC_FORMATS)[number]

/** A column of a report's answer. */
export interface Column {
  readonly key: string
  /** Russian. */
  readonly title: string
  readonly type: ColumnType
}

/** A business figure of `/api/public/v1/metrics`. */
export interface Metric {
  readonly code: string
  /** Russian. */
  readonly title: string
  readonly format: MetricFormat
}

/** One field as PostgreSQL prints it in text format; null is SQL's null. */
export type RawField = string | null

/** How the cache answered, in RFC 9211's words. */
export const CACHE_OUTCOMES = ['hit', 'miss', 'collapsed', 'stale'] as const
export type CacheOutcome = (typeof CACHE_OUTCOMES)[number]
