/** Executes a report and encodes its rows: the body is complete when the load ends. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Observe, RequestOrigin } from '../../model/observation.ts'
import type { Stop } from '../../model/stop.ts'
import type { Bytes } from '../../model/terms.ts'
import type { Execute } from '../database/execute.ts'
import type { Body } from './body.ts'
import { encode } from './encode.ts'
import type { Encoding } from './encode.ts'
import type { NegativeCache } from './negative-cache.ts'
import { observeNulled } from './nulled-values.ts'
import { createRecentKeys } from './recent-keys.ts'
import { organizationRequest } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'
import type { Spool } from './spool.ts'

/**
 * @throws Problem `result_too_large`, `report_timeout`, `replica_unavailable`, `overloaded`, `rate_limited` or
 *   `internal_error`; the reason of the stop
 */
export type LoadReport = (
  request: ReportRequest<ReportDefinition>,
  stop: Stop,
  origin?: RequestOrigin,
) => Promise<Body>

export function createLoadReport(options: {
  readonly execute: Execute
  /** Larger bodies are written to a file. */
  readonly maxBytes: Bytes
  /** Undefined: larger bodies are `result_too_large`. */
  readonly spool: Spool | undefined
  readonly negativeCache: NegativeCache
  readonly observe: Observe
}): LoadReport {
  const { execute, maxBytes, spool, negativeCache, observe } = options
  /** Reports whose last body was written to a file. */
  const large = createRecentKeys()

  return async (request, stop, origin) => {
    negativeCache.check(request)
    const { definition, organization } = request
    const reportKey = reportKeyOf(request)
    let encoding: Encoding | undefined
    const turn = large.has(reportKey) ? await spool?.turns.reserve(stop) : spool?.turns.unreserved()
    try {
      const sinkOptions = { organizationId: organization.id, maxBytes, spool, turn, stop }
      await execute(organizationRequest(request, origin), stop, head => {
        encoding?.abandon()
        return (encoding = encode(request, head, sinkOptions))
      })
      const { body, nulledCounts } = encoding!
      observeNulled(observe, definition, nulledCounts)
      if (body!.kind === 'file') large.add(reportKey)
      else large.delete(reportKey)
      return body!
    } catch (error) {
      encoding?.abandon()
      if (stop.reason === undefined) negativeCache.remember(request, error)
      throw error
    } finally {
      turn?.end()
    }
  }
}

/** A report of an organization, for any period and format. */
function reportKeyOf({ definition, organization }: ReportRequest): string {
  return `${definition.name} ${organization.id}`
}
