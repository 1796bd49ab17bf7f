/** What the cache holds of a report: its rows, and each representation that has been asked for. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Bytes, Instant } from '../../model/terms.ts'
import type { Cache } from '../cache/cache.ts'
import { createSingleFlight } from '../cache/single-flight.ts'
import type { SingleFlight } from '../cache/single-flight.ts'
import type { Format } from '../formats/format.ts'
import { recycleChunk } from '../formats/output.ts'
import { readCachedRows } from './cached-rows.ts'
import type { CachedRows } from './cached-rows.ts'
import { codedEtag, compressWhole, withoutSlack } from './content-coding.ts'
import type { Coding } from './content-coding.ts'
import { encode } from './encode.ts'
import { etagOf } from './etag.ts'
import { createTurnQueue } from './turn-queue.ts'
import type { ReportRequest } from './report-request.ts'
import { rowBound } from './too-large.ts'

/** One format and content coding of a report (RFC 9110). */
export interface Representation {
  readonly bytes: Buffer
  /** Strong, with its quotes. */
  readonly etag: string
  readonly coding: Coding
}

export interface CachedReport {
  readonly kind: 'report'
  /** That its rows answer. */
  readonly request: ReportRequest<ReportDefinition>
  readonly rowCount: number
  /** The data is at least as new as this; undefined if no replica could tell. */
  readonly dataAsOf: Instant | undefined
  /** Undefined if they are too many to be cached. */
  readonly rows: CachedRows | undefined
  /** By `representationName`. */
  readonly representations: Map<string, Representation>
  /** Of all of it. */
  byteCount: Bytes
}

/** Below this a body and its head are about one packet, compressed or not. */
const LEAST_COMPRESSED_BYTES: Bytes = 1400
/** Compressed bytes that are hardly fewer would only be cached twice. */
const WORTH = 0.9

export function representationName({ name }: Format, coding: Coding): string {
  return coding === 'identity' ? name : `${name} ${coding}`
}

/** Whether the report can be sent in that format without an execution. */
export function hasFormat({ rows, representations }: CachedReport, { name }: Format): boolean {
  return rows !== undefined || representations.has(name)
}

export interface Representations {
  /**
   * @param key of the report in the cache
   * @throws Problem `result_too_large` if the format cannot hold so many rows; the signal's reason
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
  // why: another execution may replace the report in the cache meanwhile
  const flights = new WeakMap<CachedReport, SingleFlight>()
  // why: encoding several at once would add up to long turns of the event loop
  const queue = createTurnQueue()

  /** Made once for all that ask meanwhile, and cached while there is space for it. */
  async function cached(
    report: CachedReport,
    key: string,
    name: string,
    signal: AbortSignal,
    make: (signal: AbortSignal) => Promise<Representation>,
  ): Promise<Representation> {
    const known = report.representations.get(name)
    if (known !== undefined) return known
    const flightsOfReport = flights.get(report) ?? createSingleFlight()
    flights.set(report, flightsOfReport)
    const flight = flightsOfReport.join({
      key: name,
      signal,
      load: async aborted => {
        const made = await make(aborted)
        const isCounted = [...report.representations.values()].includes(made)
        const byteCount = report.byteCount + (isCounted ? 0 : made.bytes.length)
        if (cache.grow(key, report, byteCount)) {
          report.byteCount = byteCount
          report.representations.set(name, made)
        }
        return made
      },
    })
    return (await flight.result).value
  }

  return {
    async of(report, key, format, coding, signal) {
      const { organization } = report.request
      const plain = await cached(report, key, format.name, signal, aborted =>
        queue(organization.id, () => derive(report, format, aborted)),
      )
      if (coding === 'identity') return plain
      const name = representationName(format, coding)
      if (plain.bytes.length < LEAST_COMPRESSED_BYTES) {
        if (report.representations.has(format.name)) report.representations.set(name, plain)
        return plain
      }
      return cached(report, key, name, signal, async aborted => {
        const bytes = await compressWhole(plain.bytes, coding, organization.id, aborted)
        if (bytes.length > plain.bytes.length * WORTH) return plain
        return { bytes, etag: codedEtag(plain.etag, coding), coding }
      })
    },
  }
}

/** Encodes the cached rows. */
async function derive(
  { request, rows, rowCount }: CachedReport,
  format: Format,
  signal: AbortSignal,
): Promise<Representation> {
  signal.throwIfAborted()
  const bound = rowBound(request.definition, format)
  if (rowCount > bound.maxRows) throw bound.problem()
  if (rows === undefined) throw new Error('found no cached rows, expected a report that has them')
  const chunks: Buffer[] = []
  for await (const chunk of encode(format, request, readCachedRows(rows)).chunks) {
    signal.throwIfAborted()
    chunks.push(chunk)
  }
  return makeRepresentation(chunks)
}

/** @param chunks that nobody else holds: their memory is used again */
export function makeRepresentation(chunks: readonly Buffer[]): Representation {
  const bytes = withoutSlack(chunks)
  for (const chunk of chunks) recycleChunk(chunk)
  return { bytes, etag: etagOf(bytes), coding: 'identity' }
}
