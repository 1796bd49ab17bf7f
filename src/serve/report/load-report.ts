/** Executes a report and encodes its rows: returns a body that can be cached, or a stream. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Observe, RequestOrigin } from '../../model/observation.ts'
import type { Bytes, Instant } from '../../model/terms.ts'
import type { Format } from '../formats/format.ts'
import { recycleChunk } from '../formats/output.ts'
import type { Replicas } from '../database/attempts.ts'
import type { ReplicaExecution } from '../database/replica.ts'
import type { StreamedBody } from './streamed-body.ts'
import { collect } from './collect.ts'
import type { Collected } from './collect.ts'
import { encode } from './encode.ts'
import type { Encoding } from './encode.ts'
import { concatExact } from './gzip.ts'
import type { NegativeCache } from './negative-cache.ts'
import { organizationRequest } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'
import type { SpillFiles } from './spill-file.ts'
import { createWholeBody } from './whole-body.ts'
import type { WholeBody } from './whole-body.ts'

interface BodyOptions {
  readonly format: Format
  /** The length must be known before the first byte is sent: HTTP/1.0 has no chunked transfer coding. */
  readonly wholeOnly?: boolean
}

/** A body that is small enough to be cached. */
export interface ReportBody extends WholeBody {
  readonly kind: 'whole'
  readonly rowCount: number
  /** The data is at least as new as this; undefined if unknown. */
  readonly dataAsOf: Instant | undefined
  /** Without the gzip, which the cache counts when it is made. */
  readonly byteCount: Bytes
}

/** Equal for bodies whose load has the same result, or the same failure. */
function variantOf({ format, wholeOnly = false }: BodyOptions): string {
  return `${format.name}${wholeOnly ? ' whole' : ''}`
}

/**
 * @throws Problem `result_too_large`, `report_timeout`, `replica_unavailable`, `overloaded`, `rate_limited` or
 *   `internal_error`; the signal's reason.
 */
export type LoadReport = (
  request: ReportRequest<ReportDefinition>,
  bodyOptions: BodyOptions,
  signal: AbortSignal,
  origin?: RequestOrigin,
) => Promise<ReportBody | StreamedBody>

export function createLoadReport(options: {
  readonly replicas: Pick<Replicas, 'begin'>
  /** Larger bodies are not cached. */
  readonly maxBytes: Bytes
  /** If undefined, the execution of a large body waits for its client. */
  readonly spillFiles: SpillFiles | undefined
  readonly negativeCache: NegativeCache
  readonly observe: Observe
}): LoadReport {
  const { replicas, maxBytes, spillFiles, negativeCache, observe } = options

  return async (request, bodyOptions, signal, origin) => {
    const { format, wholeOnly = false } = bodyOptions
    const { id: organizationId } = request.organization
    const variant = variantOf(bodyOptions)
    negativeCache.check(request, variant)
    const abort = new AbortController()
    const abortWith = (): void => abort.abort(signal.reason)
    if (signal.aborted) abortWith()
    signal.addEventListener('abort', abortWith)
    const statement = { ...organizationRequest(request, format.name), origin }
    const attempts = replicas.begin(statement, abort.signal)

    /** @throws what encoding or the replica throws */
    async function read(
      execution: ReplicaExecution,
      encoding: Encoding,
    ): Promise<ReportBody | StreamedBody> {
      const { dataAsOf } = execution
      const collected = await collect(encoding, { organizationId, maxBytes, wholeOnly, spillFiles })
      if (collected.kind === 'whole') {
        const bytes = concatExact(collected.chunks)
        for (const chunk of collected.chunks) recycleChunk(chunk)
        succeed(encoding)
        return {
          kind: 'whole',
          ...createWholeBody(bytes),
          rowCount: encoding.rowCount(),
          dataAsOf,
          byteCount: bytes.length,
        }
      }
      const isBegun = collected.kind === 'begun'
      if (isBegun) execution.timeEachBatch()
      else succeed(encoding)
      const stream = isBegun ? streamBody(collected, encoding) : readSpilled(collected, encoding)
      const { signal: aborted } = abort
      return { ...stream, kind: 'streamed', organizationId, dataAsOf, signal: aborted }
    }

    function succeed(encoding: Encoding): void {
      attempts.succeed(encoding.rowCount())
      encoding.nulledCounts.forEach((valueCount, column) =>
        observe({ kind: 'values-nulled', definition: request.definition.name, column, valueCount }),
      )
    }

    function streamBody(
      { chunks, rowCount }: Extract<Collected, { kind: 'begun' }>,
      encoding: Encoding,
    ): Pick<StreamedBody, 'chunks' | 'rowCount' | 'contentLength' | 'cancel'> {
      let isOver = false

      /** @returns the error that ends the response */
      function fail(error: unknown): unknown {
        if (isOver) return error
        isOver = true
        const isCancelled = abort.signal.aborted
        const problem = attempts.failSent(error, encoding.rowCount())
        // why: remembered longer, since a client retries a broken download later than an error response
        if (!isCancelled) negativeCache.rememberBreak(request, variant, problem)
        // why: the client must be disconnected now, although it may still be reading buffered bytes
        abort.abort(problem)
        return problem
      }

      async function* all(): AsyncGenerator<Buffer, void> {
        try {
          yield* chunks
          yield* encoding.chunks
          isOver = true
          succeed(encoding)
        } catch (error) {
          throw fail(error)
        } finally {
          cancel()
        }
      }

      function cancel(reason: unknown = new Error('the client disconnected')): void {
        if (isOver) return
        abort.abort(reason)
        fail(reason)
      }

      return { chunks: all(), rowCount, contentLength: undefined, cancel }
    }

    try {
      for (;;) {
        const execution = await attempts.next()
        const encoding = encode(format, request, execution)
        try {
          return await read(execution, encoding)
        } catch (error) {
          await encoding.chunks.return()
          await attempts.fail(error, encoding.rowCount())
        }
      }
    } catch (error) {
      if (!signal.aborted) negativeCache.remember(request, variant, error)
      throw error
    } finally {
      signal.removeEventListener('abort', abortWith)
    }
  }
}

function readSpilled(
  { file, byteCount }: Extract<Collected, { kind: 'spilled' }>,
  encoding: Encoding,
): Pick<StreamedBody, 'chunks' | 'rowCount' | 'contentLength' | 'cancel'> {
  async function* all(): AsyncGenerator<Buffer, void> {
    try {
      while (file.unreadBytes() > 0) yield await file.read()
    } finally {
      await file.close()
    }
  }
  return {
    chunks: all(),
    rowCount: encoding.rowCount(),
    contentLength: byteCount,
    cancel: () => void file.close(),
  }
}
