/** A response as a value: what routes return, and what the fast path sends again. */
import type { Cached, CacheMetadata } from '../cache/entry.ts'
import type { Body } from '../report/body.ts'
import type { Coding } from '../report/gzip.ts'
import type { MetricValues } from '../report/load-metrics.ts'
import type { SpoolFile } from '../report/spool.ts'
import type { ReportFormat } from '../../model/terms.ts'

export interface Response {
  readonly contentType: string
  /** Alternating names and values, which 304 has as well. They do not depend on the request's time or origin. */
  readonly head: readonly string[]
  /** Strong; undefined if a client cannot validate the response. */
  readonly etag?: string
  readonly body: Buffer | SpoolFile
  /** Of `body` as it is sent. */
  readonly coding?: Coding
  /** Of a response from the cache. */
  readonly metadata?: CacheMetadata | undefined
  /** The cached values that it was made from. While they are fresh, it may be sent again. */
  readonly cached?: ReadonlyArray<Cached<Body | MetricValues>>
  /** Found by the fast path. */
  readonly isShortcut?: true
  /** Of a report. */
  readonly format?: ReportFormat
}
