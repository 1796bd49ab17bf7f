/**
 * Runs one statement on one connection and hands over its rows as they arrive, as bytes. Knows pg;
 * knows nothing of definitions, formats or the cache.
 */
import type { ClientBase, FieldDef } from 'pg'
import type { RowBytes } from '../../model/row-bytes.ts'
import type { Instant, Milliseconds } from '../../model/terms.ts'
import { requestCancel } from './cancel.ts'
import { replicaProblem } from './classify-error.ts'
import { rollBack } from './connection-state.ts'
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
  /** In a read-only transaction of its own, which is rolled back; else in the caller's. */
  readonly readOnly?: boolean
  /** `set local` statement for that transaction. */
  readonly setLocal?: string | undefined
  /** A pooler may deliver a cancel request late, to another statement: the connection is destroyed after one. */
  readonly isPooled?: boolean
}

/** A cancelled execution that has not ended after so long, its cancel requests included, ends with its connection. */
const CANCEL_GRACE_MS = 1000

/**
 * Resolves when all rows have been handed over. However it ends, a connection that executed in a transaction
 * of its own is idle then, without a cancel request under way, or destroyed.
 *
 * @throws Problem `report_timeout` after `timeoutMs`; the signal's reason; what the sink threw; what
 *   PostgreSQL or the transport reported.
 */
export async function runStatement(client: ClientBase, run: Run): Promise<void> {
  const { sink, signal } = run
  signal.throwIfAborted()
  const { stream } = (client as unknown as { connection: { stream: NodeJS.ReadableStream } })
    .connection

  const pace = createPace(stream)
  let began = false
  let stopped: { readonly reason: unknown; readonly cancelled: () => Promise<void> } | undefined
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
  signal.addEventListener('abort', aborted)

  function stop(reason: unknown): void {
    if (stopped) return
    pace.end()
    stopped = { reason, cancelled: cancel(client, run.isPooled ?? false) }
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

  function tryToBegin(fields: readonly Field[]): void {
    if (stopped) return
    try {
      begin(fields)
    } catch (error) {
      stop(error)
    }
  }

  /** Resolves when the connection is ready; an error comes before that. */
  function submit(name: string | undefined): Promise<void> {
    const { text, values, readOnly = false, setLocal } = run
    const described = name === undefined ? undefined : descriptionsOf(client).get(name)
    const asked = { name, text, values, undescribed: described !== undefined, readOnly, setLocal }

    function fields(found: readonly FieldDef[]): void {
      if (stopped) return
      const description = found.map(field => ({ name: field.name, typeId: field.dataTypeID }))
      if (name !== undefined) descriptionsOf(client).set(name, description)
      tryToBegin(description)
    }

    function row(bytes: RowBytes): void {
      if (!began && described) tryToBegin(described)
      if (stopped) return
      rowsCame = true
      try {
        pace.took(bytes.end - bytes.start)
        if (!sink.row(bytes)) pace.pause()
      } catch (error) {
        stop(error)
      }
    }

    return new Promise((resolve, reject) => {
      client.query(createRowQuery(asked, { fields, row, end, error: reject }))

      function end(): void {
        try {
          if (!stopped && !began) begin(described ?? [])
          resolve()
        } catch (error) {
          reject(error)
        }
      }
    })
  }

  async function execute(name: string | undefined): Promise<void> {
    try {
      await submit(name)
    } catch (error) {
      const { code } = error as { code?: string }
      const isStale = name !== undefined && !began && !stopped && isNotAsPrepared(code)
      if (isStale) run.prepared?.refused(code)
      await stopped?.cancelled()
      if (run.readOnly === true) await rollBack(client)
      if (!isStale || stopped) throw error
      await execute(undefined)
    }
  }

  try {
    await execute(run.prepared?.name)
  } catch (error) {
    throw stopped ? stopped.reason : error
  } finally {
    clearTimeout(timeout)
    signal.removeEventListener('abort', aborted)
    pace.end()
    await stopped?.cancelled()
  }
  if (stopped) throw stopped.reason
}

/**
 * Cancels the statement.
 * @returns what is called once it has ended; resolves when no cancel request is under way, or the connection is destroyed
 */
function cancel(client: ClientBase, isPooled: boolean): () => Promise<void> {
  const endCancel = requestCancel(client)
  let grace: NodeJS.Timeout | undefined
  const isLate = new Promise<void>(resolve => {
    grace = setTimeout(() => {
      destroyConnection(client)
      resolve()
    }, CANCEL_GRACE_MS)
  })
  return async () => {
    const isOver = endCancel()
    if (isPooled) destroyConnection(client)
    else await Promise.race([isOver, isLate])
    clearTimeout(grace)
  }
}
