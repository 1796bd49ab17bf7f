/** Executes a report and encodes its rows: the body is complete when the load ends. */
import { LRUCache } from 'lru-cache'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Observe, RequestOrigin } from '../../model/observation.ts'
import type { Stop } from '../../model/stop.ts'
import type { Bytes } from '../../model/terms.ts'
import type { Execute } from '../database/execute.ts'
import type { Rows } from '../database/rows.ts'
import { FileTurn, type Body } from './body.ts'
import { encode } from './encode.ts'
import { statementOf, type ReportRequest } from './report-request.ts'
import type { Spool } from './spool.ts'

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
  /** Reports whose last body was written to a file, or would have been. */
  const large = new LRUCache<string, true>({ max: MAX_LARGE })

  /**
   * @throws Problem `result_too_large`, `report_timeout`, `replica_unavailable`, `overloaded`, `rate_limited` or
   *   `internal_error`; the reason of the stop
   */
  return async (
    report: ReportRequest<ReportDefinition>,
    stop: Stop,
    origin?: RequestOrigin,
  ): Promise<Body> => {
    const { definition, organization } = report
    const statement = statementOf(report, origin)
    /** For any period and format. */
    const reportKey = `${definition.name} ${organization.id}`
    const turn = new FileTurn(spool, organization.id)
    const read = (rows: Rows) => encode(report, rows, { maxBytes, turn, stop, observe })
    try {
      if (large.has(reportKey)) await turn.begin(stop)
      let body = await execute(statement, stop, read)
      if (body === undefined) {
        large.set(reportKey, true)
        // why: it begins again in its turn, since it must not hold a slot while it waits
        await turn.begin(stop)
        body = await execute(statement, stop, read)
      }
      if (body!.kind === 'file') large.set(reportKey, true)
      else large.delete(reportKey)
      return body!
    } finally {
      turn.end()
    }
  }
}
