/** A cached report: its rows, and each representation that was requested so far. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Bytes, Instant } from '../../model/terms.ts'
import type { Cache } from '../cache/cache.ts'
import { createSingleFlight } from '../cache/single-flight.ts'
import type { SingleFlight } from '../cache/single-flight.ts'
import type { Format } from '../formats/format.ts'
import { recycleChunk } from '../formats/output.ts'
import { readCachedRows } from './cached-rows.ts'
import type { CachedRows } from './cached-rows.ts'
import { concatExact, gzipEtag, gzipWhole } from './gzip.ts'
import type { Coding } from './gzip.ts'
import { encode } from './encode.ts'
import { etagOf } from './etag.ts'
import { createTurnQueue } from './turn-queue.ts'
import type { ReportRequest } from './report-request.ts'
import { rowLimit } from './too-large.ts'

/** One format and content coding of a report (RFC 9110). */
export interface Representation {
  readonly bytes: Buffer
  /** Strong, with its quotes. */
  readonly etag: string
  readonly coding: Coding
}

export interface CachedReport {
  readonly kind: 'report'
  /** The request that its rows belong to. */
  readonly request: ReportRequest<ReportDefinition>
  readonly rowCount: number
  /** The data is at least as new as this; undefined if unknown. */
  readonly dataAsOf: Instant | undefined
  /** Undefined if they are too large to be cached. */
  readonly rows: CachedRows | undefined
  /** By `representationName`. */
  readonly representations: Map<string, Representation>
  /** Rows and representations together. */
  byteCount: Bytes
}

/** Smaller bodies are not compressed: with the head they fit into about one packet. */
const MIN_COMPRESSED_BYTES: Bytes = 1400
/** Compressed bytes are cached only if they are at most this part of the original. */
const MAX_COMPRESSED_RATIO = 0.9

export function representationName({ name }: Format, coding: Coding): string {
  return coding === 'identity' ? name : `${name} ${coding}`
}

/** Whether the report can be sent in that format without an execution. */
export function hasFormat({ rows, representations }: CachedReport, { name }: Format): boolean {
  return rows !== undefined || representations.has(name)
}

export interface Representations {
  /**
   * @param key the cache key of the report
   * @throws Problem `result_too_large` if the format cannot contain so many rows; the signal's reason
   */
  of(
    report: CachedReport,
    key: string,
    format: Format,
    coding: Coding,
    signal: AbortSignal,
  ): Promise<Representation>
}

export function createRepresentations(cache: Pick<Cache, 'grow'>): Representations {
  // why: keyed by the report, since another execution may replace it in the cache
  const flights = new WeakMap<CachedReport, SingleFlight>()
  // why: encoding several reports at once would block the event loop
  const queue = createTurnQueue()

  /** Creates a representation once for concurrent requests, and caches it if it fits. */
  async function cached(
    report: CachedReport,
    key: string,
    name: string,
    signal: AbortSignal,
    make: (signal: AbortSignal) => Promise<Representation>,
  ): Promise<Representation> {
    const existing = report.representations.get(name)
    if (existing !== undefined) return existing
    const flightsOfReport = flights.get(report) ?? createSingleFlight()
    flights.set(report, flightsOfReport)
    const flight = flightsOfReport.join({
      key: name,
      signal,
      load: async aborted => {
        const created = await make(aborted)
        const isCounted = [...report.representations.values()].includes(created)
        const byteCount = report.byteCount + (isCounted ? 0 : created.bytes.length)
        if (cache.grow(key, report, byteCount)) {
          report.byteCount = byteCount
          report.representations.set(name, created)
        }
        return created
      },
    })
    return (await flight.result).value
  }

  return {
    async of(report, key, format, coding, signal) {
      const { organization } = report.request
      const identity = await cached(report, key, format.name, signal, aborted =>
        queue(organization.id, () => derive(report, format, aborted)),
      )
      if (coding === 'identity') return identity
      const name = representationName(format, coding)
      if (identity.bytes.length < MIN_COMPRESSED_BYTES) {
        if (report.representations.has(format.name)) report.representations.set(name, identity)
        return identity
      }
      return cached(report, key, name, signal, async () => {
        const bytes = await gzipWhole(identity.bytes, organization.id)
        if (bytes.length > identity.bytes.length * MAX_COMPRESSED_RATIO) return identity
        return { bytes, etag: gzipEtag(identity.etag), coding }
      })
    },
  }
}

/** Encodes the cached rows. */
async function derive(
  { request, rows, rowCount, dataAsOf }: CachedReport,
  format: Format,
  signal: AbortSignal,
): Promise<Representation> {
  signal.throwIfAborted()
  const limit = rowLimit(request.definition, format)
  if (rowCount > limit.maxRows) throw limit.problem()
  if (rows === undefined) throw new Error('found no cached rows, expected a report that has them')
  const chunks: Buffer[] = []
  const encoding = encode(format, request, { ...readCachedRows(rows), dataAsOf })
  for await (const chunk of encoding.chunks) {
    signal.throwIfAborted()
    chunks.push(chunk)
  }
  return makeRepresentation(chunks)
}

/** @param chunks not referenced elsewhere: their memory is recycled */
export function makeRepresentation(chunks: readonly Buffer[]): Representation {
  const bytes = concatExact(chunks)
  for (const chunk of chunks) recycleChunk(chunk)
  return { bytes, etag: etagOf(bytes), coding: 'identity' }
}
