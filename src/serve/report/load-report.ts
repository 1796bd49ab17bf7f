/** Executes a report and encodes its rows: the body is complete when the load ends. */
import { LRUCache } from 'lru-cache'
import type { ReportDefinition } from '../../definitions/definition.ts'
import { monotonicClock } from '../../model/clock.ts'
import type { Observe, RequestOrigin } from '../../model/observation.ts'
import { createStop, throwIfStopped, type Stop } from '../../model/stop.ts'
import type { Bytes } from '../../model/terms.ts'
import type { Slot } from '../database/admission-request.ts'
import { createAdmission } from '../database/admission.ts'
import type { Execute } from '../database/execute.ts'
import type { Body } from './body.ts'
import { encode } from './encode.ts'
import { observeNulled } from './nulled-values.ts'
import { statementOf } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'
import type { Spool, SpoolFile } from './spool.ts'

/** Each has about 100 bytes. */
const MAX_LARGE = 1000
/** Files that are written at a time. why: writing and hashing occupy the disk and threads, which other requests need */
const MAX_WRITTEN = 2
const FILES = ['files'] as const
const OF_WRITERS = { servers: () => FILES, noServer: () => new Error(), isRetry: false }
/** Why a load begins again, in its turn: it must not hold a slot while it waits. */
const NO_TURN = new Error('two loads are writing files')

export type LoadReport = ReturnType<typeof createLoadReport>

export function createLoadReport(options: {
  readonly execute: Execute
  /** Larger bodies are written to a file. */
  readonly maxBytes: Bytes
  readonly spool: Spool
  readonly observe: Observe
}) {
  const { execute, maxBytes, spool, observe } = options
  /** Reports whose last body was written to a file, or would have been. */
  const large = new LRUCache<string, true>({ max: MAX_LARGE })
  const writers = createAdmission({
    servers: FILES,
    slotsOf: () => MAX_WRITTEN,
    queueTimeoutMs: Infinity,
    now: monotonicClock,
  })

  /** Waits for the right to write a file. @throws Problem `rate_limited`; the reason of the stop */
  function takeTurn(organizationId: string, stop: Stop): Promise<Slot<unknown>> {
    writers.review()
    return writers.acquire({ ...OF_WRITERS, organizationId, stop })
  }

  /**
   * @throws Problem `result_too_large`, `report_timeout`, `replica_unavailable`, `overloaded`, `rate_limited` or
   *   `internal_error`; the reason of the stop
   */
  return async (
    request: ReportRequest<ReportDefinition>,
    stop: Stop,
    origin?: RequestOrigin,
  ): Promise<Body> => {
    const { definition, organization } = request
    const { id: organizationId } = organization
    /** For any period and format. */
    const reportKey = `${definition.name} ${organizationId}`
    let turn = large.has(reportKey) ? await takeTurn(organizationId, stop) : undefined

    async function loadOnce(): Promise<Body> {
      const ofLoad = createStop()
      stop.onStop(reason => ofLoad.stop(reason))
      const encoding = await execute(statementOf(request, origin), ofLoad, head => {
        const ofAttempt = createStop()
        ofLoad.onStop(reason => ofAttempt.stop(reason))
        const createFile = async (): Promise<SpoolFile> => {
          const isFree = writers.executingOn(FILES[0]) < MAX_WRITTEN
          if (turn === undefined && !isFree) ofLoad.stop(NO_TURN)
          throwIfStopped(ofLoad)
          turn ??= await takeTurn(organizationId, ofLoad)
          return spool.create(organizationId, ofAttempt)
        }
        const failed = (): void => ofAttempt.stop(new Error('the attempt has failed'))
        return Object.assign(encode(request, head, { maxBytes, createFile }), { failed })
      })
      observeNulled(observe, definition, encoding.nulledCounts)
      return encoding.body!
    }

    try {
      const body = await loadOnce().catch(async (error: unknown) => {
        if (error !== NO_TURN) throw error
        large.set(reportKey, true)
        turn = await takeTurn(organizationId, stop)
        return loadOnce()
      })
      if (body.kind === 'file') large.set(reportKey, true)
      else large.delete(reportKey)
      return body
    } finally {
      turn?.release()
    }
  }
}
