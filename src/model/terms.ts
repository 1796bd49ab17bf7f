/**
 * The terms of the code, one meaning each. Every folder may import this file; it imports nothing.
 *
 * The stages of a request, each a value made from the one before, in `serve/respond.ts`:
 *
 *     Request -> Organization -> ReportRequest -> Rows -> Body -> Response
 *
 * - **organization**: the tenant that an API key belongs to.
 * - **definition**: a parsed file of SQL with front matter; the **catalog** is all of them.
 * - **period**: half-open dates in the organization's time zone.
 * - **placeholder** / **binding**: `:name` in SQL / what is bound to it.
 * - **execution**: one definition's statement, executed once on one replica.
 * - **rows** / **body**: what PostgreSQL returned / the encoded bytes.
 * - **fresh** / **stale**: may be served / may be served only if nothing newer is available.
 * - **alias**: a request's target and `Accept` headers, mapped to its cached response on the **fast path** before Koa.
 * - **dataAsOf** / **lag**: the instant of the data / its distance from the primary.
 */

import type { Currency } from './currency.ts'

/** The first part of the API's paths. */
export const PREFIX = '/api/public/v1'

export type Milliseconds = number
export type Seconds = number
export type Bytes = number

/** A calendar date, `YYYY-MM-DD`, in the organization's time zone. */
export type IsoDate = string

/** An instant, RFC 3339 in UTC, as in `2026-11-21T10:00:00.000Z`. */
export type Instant = string

/**
 * A parameter `now` is monotonic, for differences: a step of the wall clock must not change ages, deadlines and durations.
 * `wall` is since the epoch, for today's date and for stamps.
 */
export type Clock = () => Milliseconds

/**
 * Formats of a report, by the extension of its path; each is in `serve/formats/catalog.ts`. The first is the default;
 * among formats that `Accept` prefers equally (as with `text/*`), the first is sent.
 */
export const REPORT_FORMATS = ['json', 'ndjson', 'csv', 'xlsx', 'parquet'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

/** The tenant that a key belongs to, as read from the product's database for this request. */
export interface Organization {
  /** The text that PostgreSQL prints: a UUID, an integer, a text. */
  readonly id: string
  /** The PostgreSQL type of the id, which `:organization_id` is cast to: `uuid`, `integer`, ... */
  readonly idType: string
  /** IANA name, as in `Europe/Berlin`. */
  readonly timeZone: string
  /** Whether the account's tier includes the API. */
  readonly entitled: boolean
  /** For the organization's own documents, never for logs; undefined if the access query does not select it. */
  readonly name?: string | undefined
  /** An ISO 4217 code, of money without one of its own; undefined for the product's currency. */
  readonly currency?: string | undefined
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

/** A column of a report's response. */
export interface Column {
  readonly key: string
  readonly title: string
  readonly type: ColumnType
  /** Of money: the column with the codes of its rows, or the only currency that a parameter leaves; by default that of the organization. */
  readonly currency?: Currency | CurrencyColumn
}

export interface CurrencyColumn {
  readonly column: string
}

/** A business figure of `/api/public/v1/metrics`. */
export interface Metric {
  readonly code: string
  readonly title: string
  readonly format: MetricFormat
}

/** The date by which a report assigns facts to its period. */
export const DATE_BASES = [
  'accrual',
  'payment',
  'due',
  'shipment',
  'movement',
  'creation',
  'completion',
  'event',
  'state',
] as const
export type DateBasis = (typeof DATE_BASES)[number]

/** How figures of several rows, or of consecutive periods, are combined into one. */
export const ROW_AGGREGATIONS = ['sum', 'none'] as const
export const PERIOD_AGGREGATIONS = ['sum', 'first', 'last', 'none'] as const

/** A chart of columns or lines over time, or of bars by category; bars are sorted by value or in the order of the rows. */
export const CHART_KINDS = ['columns', 'lines', 'bars'] as const
export const CHART_ORDERS = ['value', 'rows'] as const
export interface Chart {
  readonly kind: (typeof CHART_KINDS)[number]
  /** Keys of the columns that are drawn together. */
  readonly measures: readonly string[]
  /** Key of the column with the times or the categories. */
  readonly label: string
  readonly order?: (typeof CHART_ORDERS)[number]
}

/** One field as PostgreSQL prints it in text format; null is SQL's null. */
export type RawField = string | null

/** How the cache served a request, in RFC 9211's terms. */
export const CACHE_OUTCOMES = ['hit', 'miss', 'collapsed', 'stale'] as const
export type CacheOutcome = (typeof CACHE_OUTCOMES)[number]

/** What the page for people shows first. */
export interface PageOfProduct {
  /** Titles of the folders of reports, in its order. */
  readonly groups?: Readonly<Record<string, string>>
  /** The first metrics, with the columns of a report by month that add up to each: `profit_loss.income`; or `none`. */
  readonly cards?: Readonly<Record<string, string>>
  /** The column of a report that warns if its total is below zero: `payment_calendar.lowest`. */
  readonly shortfall?: string
}
