/**
 * Runs one statement on one connection and hands over its rows as they arrive, as bytes. Knows pg;
 * knows nothing of definitions, formats or the cache.
 */
import type { ClientBase, FieldDef } from 'pg'
import type { RowBytes } from '../row-bytes.ts'
import type { Instant, Milliseconds } from '../terms.ts'
import { requestCancel } from './cancel.ts'
import { replicaProblem } from './classify-error.ts'
import { createPace } from './pace.ts'
import { destroyConnection } from './pool.ts'
import { descriptionsOf, isNotAsPrepared } from './prepared.ts'
import type { Field } from './prepared.ts'
import { createRowQuery } from './row-query.ts'

/** What a sink learns, and may do, once a run's rows are about to come. */
export interface RunStart {
  readonly fields: readonly Field[]
  /** The rows show data at least as new as this; undefined is unknown. */
  readonly dataAsOf: Instant | undefined
  /** Go on after `row` answered false. */
  resume(): void
  /** From now on the time is that from one row to the next, not that of all. */
  timeEachRow(): void
}

export interface RowSink {
  /** Before the first row, also where there is none. What it throws ends the run. */
  begin(start: RunStart): void
  /** False asks for a pause. What it throws ends the run. The row is valid during the call. */
  row(row: RowBytes): boolean
  /** How many rows of the answer there have been. */
  rowCount(): number
}

export interface Run {
  readonly text: string
  /** Kept by the connection under this name; undefined is planned for this once. */
  readonly prepared?: {
    readonly name: string
    /** One of `NOT_AS_PREPARED`: the statement is run once more, unnamed. */
    readonly refused: (code: string) => void
  }
  readonly values: readonly string[]
  readonly timeoutMs: Milliseconds
  readonly dataAsOf: Instant | undefined
  readonly sink: RowSink
  /** Ends the run; its reason is what the run rejects with. */
  readonly signal: AbortSignal
}

/** After this long without the server's word, a cancelled run's connection is destroyed. */
const CANCEL_GRACE_MS = 1000

/**
 * Resolves when all rows have been handed over. The client is ready for the next statement then, and
 * after an error of PostgreSQL's; after any other rejection a cancel request may still be on its way.
 *
 * @throws Problem `report_timeout` after `timeoutMs`; the signal's reason; what the sink threw; what
 *   PostgreSQL or the transport reported.
 */
export function runStatement(client: ClientBase, run: Run): Promise<void> {
  const { sink, signal, text, values } = run
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const { stream } = (client as unknown as { connection: { stream: NodeJS.ReadableStream } })
      .connection

    const pace = createPace(stream)
    let began = false
    let failure: { readonly reason: unknown } | undefined
    let grace: NodeJS.Timeout | undefined
    let cancelled: (() => void) | undefined
    let eachRow = false
    let rowsCame = false
    const timeout = setTimeout(() => {
      // why: where the reader of the rows is waited for, it is the reader that is timed
      if (!eachRow || !(rowsCame || pace.isPaused())) {
        return stop(replicaProblem('report_timeout', undefined))
      }
      rowsCame = false
      timeout.refresh()
    }, run.timeoutMs)
    const aborted = (): void => stop(signal.reason)

    function stop(reason: unknown): void {
      if (failure) return
      failure = { reason }
      pace.end()
      const endCancel = requestCancel(client)
      cancelled = () => void endCancel()
      grace = setTimeout(() => destroyConnection(client), CANCEL_GRACE_MS)
    }

    function settle(finish: () => void): void {
      clearTimeout(timeout)
      clearTimeout(grace)
      cancelled?.()
      signal.removeEventListener('abort', aborted)
      pace.end()
      finish()
    }

    function begin(fields: readonly Field[]): void {
      began = true
      sink.begin({
        fields,
        dataAsOf: run.dataAsOf,
        resume: () => pace.resume(),
        timeEachRow: () => void (eachRow = true),
      })
    }

    function submit(name: string | undefined): void {
      const described = name === undefined ? undefined : descriptionsOf(client).get(name)
      const asked = { name, text, values, undescribed: described !== undefined }
      client.query(createRowQuery(asked, { fields, row, end, error }))

      function fields(found: readonly FieldDef[]): void {
        if (failure) return
        const description = found.map(field => ({ name: field.name, typeId: field.dataTypeID }))
        if (name !== undefined) descriptionsOf(client).set(name, description)
        tryToBegin(description)
      }

      function row(bytes: RowBytes): void {
        if (!began && described) tryToBegin(described)
        if (failure) return
        rowsCame = true
        try {
          pace.took(bytes.end - bytes.start)
          if (!sink.row(bytes)) pace.pause()
        } catch (error) {
          stop(error)
        }
      }

      function end(): void {
        try {
          if (!failure && !began) begin(described ?? [])
        } catch (error) {
          failure = { reason: error }
        }
        settle(() => (failure ? reject(failure.reason) : resolve()))
      }

      function error(reason: Error): void {
        const { code } = reason as { code?: string }
        if (name === undefined || began || failure || !isNotAsPrepared(code)) {
          return settle(() => reject(failure ? failure.reason : reason))
        }
        run.prepared?.refused(code)
        submit(undefined)
      }
    }

    function tryToBegin(fields: readonly Field[]): void {
      if (failure) return
      try {
        begin(fields)
      } catch (error) {
        stop(error)
      }
    }

    signal.addEventListener('abort', aborted)
    submit(run.prepared?.name)
  })
}
