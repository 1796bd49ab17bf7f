/** Executes a report and encodes its rows: the body is complete when the load ends. */
import { LRUCache } from 'lru-cache'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Observe, RequestOrigin } from '../../model/observation.ts'
import type { Stop } from '../../model/stop.ts'
import type { Bytes, Milliseconds } from '../../model/terms.ts'
import { refusal } from '../database/admission-request.ts'
import type { Execute } from '../database/execute.ts'
import type { Rows } from '../database/rows.ts'
import { encode, type Body } from './encode.ts'
import { statementOf, type ReportRequest } from './report-request.ts'
import type { Spool, SpoolFile } from './spool.ts'

/** Each has about 100 bytes. */
const MAX_LARGE = 1000

/** If so many loads of an organization wait for their turn to write a file, new ones are refused. */
const MAX_WAITING_TO_WRITE = 64
const RETRY_AFTER_MS: Milliseconds = 10_000

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
    const { definition, organization, format } = report
    const { id } = organization
    const statement = statementOf(report, origin)
    /** For any period and format. */
    const reportKey = `${definition.name} ${id}`
    let hasTurn = false

    async function waitForTurn(): Promise<void> {
      const count = spool.turns.waitingCount(id)
      if (count >= MAX_WAITING_TO_WRITE)
        throw refusal('waiting', RETRY_AFTER_MS, `${count} large responses wait to be written`)
      await spool.turns.begin(stop, id)
      hasTurn = true
    }

    function createFile(): Promise<SpoolFile> | undefined {
      hasTurn ||= spool.turns.tryBegin()
      return hasTurn ? spool.create(id) : undefined
    }

    const read = (rows: Rows) => encode(report, rows, { maxBytes, createFile, stop, observe })
    try {
      // why: a promise less for the others
      if (format?.load) await format.load()
      if (large.has(reportKey)) await waitForTurn()
      let body = await execute(statement, stop, read)
      if (body === undefined) {
        large.set(reportKey, true)
        // why: it begins again in its turn, since it must not hold a slot while it waits
        await waitForTurn()
        body = await execute(statement, stop, read)
      }
      if (body!.kind === 'file') large.set(reportKey, true)
      else large.delete(reportKey)
      return body!
    } finally {
      if (hasTurn) spool.turns.end()
    }
  }
}
