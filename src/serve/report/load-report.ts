/** Executes a report and encodes its rows: the body is complete when the load ends. */
import { LRUCache } from 'lru-cache'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Observe, RequestOrigin } from '../../model/observation.ts'
import { createStop, type Stop } from '../../model/stop.ts'
import type { Bytes } from '../../model/terms.ts'
import type { Execute } from '../database/execute.ts'
import type { Body } from './body.ts'
import { encode } from './encode.ts'
import { observeNulled } from './nulled-values.ts'
import { statementOf } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'
import { MAX_WRITTEN, type Spool } from './spool.ts'
import { createTurns } from './turns.ts'

/** Each has about 100 bytes. */
const MAX_LARGE = 1000

export type LoadReport = ReturnType<typeof createLoadReport>

export function createLoadReport(options: {
  readonly execute: Execute
  /** Larger bodies are written to a file. */
  readonly maxBytes: Bytes
  readonly spool: Spool
  readonly observe: Observe
}) {
  const { execute, maxBytes, spool, observe } = options
  /** Reports whose last body was written to a file. */
  const large = new LRUCache<string, true>({ max: MAX_LARGE })
  /** Of their loads. why: most of them would hold a slot while they wait for the turn of their files */
  const turns = createTurns(MAX_WRITTEN)

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
    const isLarge = large.has(reportKey)
    let attempt: Stop | undefined
    stop.onStop(reason => attempt?.stop(reason))
    if (isLarge) await turns.begin(stop)
    try {
      const encoding = await execute(statementOf(request, origin), stop, head => {
        attempt?.stop(new Error('this attempt has failed'))
        const current = (attempt = createStop())
        const createFile = () => spool.create(organizationId, current)
        return encode(request, head, { maxBytes, createFile })
      })
      const body = encoding.body!
      observeNulled(observe, definition, encoding.nulledCounts)
      if (body.kind === 'file') large.set(reportKey, true)
      else large.delete(reportKey)
      return body
    } catch (error) {
      attempt?.stop(error)
      throw error
    } finally {
      if (isLarge) turns.end()
    }
  }
}
