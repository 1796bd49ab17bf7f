/** ReportRequest -> Body: one run of the definition, encoded as it comes. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Format } from '../formats/format.ts'
import type { Observe } from '../../model/observation.ts'
import type { Reading, Runs } from '../replica/replica-run.ts'
import type { Bytes, Clock } from '../../model/terms.ts'
import { createBodySink } from './body-sink.ts'
import type { BodySink, Second } from './body-sink.ts'
import type { Body, StreamedBody } from './body.ts'
import { organizationRun } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'
import type { Spool } from './spool.ts'

/** How an answer is wanted. */
export interface Wanted {
  readonly format: Format
  /** Another format that is kept of the same run. */
  readonly second?: Second | undefined
  /** Nothing is sent before its number of bytes is known: HTTP/1.0 has no other way to tell its end. */
  readonly wholeOnly?: boolean
  /** The run has failed under a stream that somebody reads. */
  readonly onBroken?: (error: unknown) => void
}

/**
 * @throws Problem `result_too_large`, `report_timeout`, `replica_unavailable`, `overloaded` or
 *   `internal_error`; the signal's reason.
 */
export type ReadReport = (
  request: ReportRequest<ReportDefinition>,
  wanted: Wanted,
  signal: AbortSignal,
) => Promise<Body | StreamedBody>

export function createReadReport(options: {
  readonly replica: Runs
  readonly keepMaxBytes: Bytes
  /** Undefined: a run waits for the reader of what is too large to keep. */
  readonly spool: Spool | undefined
  readonly observe: Observe
  readonly now: Clock
}): ReadReport {
  const { replica, keepMaxBytes, spool, observe, now } = options
  return (request, { format, second, wholeOnly = false, onBroken }, signal) =>
    new Promise((resolve, reject) => {
      const run = new AbortController()
      const leave = (): void => run.abort(signal.reason)
      signal.addEventListener('abort', leave)
      let sink: BodySink | undefined
      let isOut = false

      function open(): Reading {
        const before = sink
        sink = undefined
        before?.fail(new Error('the run is made again'))
        const opened = createBodySink({
          request,
          format,
          second,
          wholeOnly,
          keepMaxBytes,
          spool,
          now,
          onStream: body => {
            isOut = true
            // why: from here on the run belongs to the stream's reader, not to those who waited for it
            signal.removeEventListener('abort', leave)
            resolve(body)
          },
          onNullDates: (column, valueCount) =>
            observe({
              kind: 'dates-nulled',
              definition: request.definition.name,
              column,
              valueCount,
            }),
          onAbandoned: problem => {
            // why: one that is read again is given up by us, and nobody has left
            if (sink === opened) run.abort(problem ?? new Error('the reader of the stream is gone'))
          },
        })
        sink = opened
        const finish = (): void => {
          const body = opened.finish()
          if (body) resolve(body)
        }
        return { sink: opened, finish, isOut: () => isOut }
      }

      replica
        .run({ ...organizationRun(request, format.name, now), open, signal: run.signal })
        .catch((error: unknown) => {
          const isItsOwn = !run.signal.aborted
          if (sink?.fail(error) !== true) reject(error)
          else if (isItsOwn) onBroken?.(error)
        })
        .finally(() => signal.removeEventListener('abort', leave))
    })
}
