/**
 * Executes one statement on one connection; the reader pulls rows in batches. Knows pg; knows nothing of
 * definitions, formats or the cache.
 *
 * It ends with the last row, an error, its signal, its timeout, or because the reader stops. In every case `idle`
 * resolves once: the connection is ready for another statement then, or destroyed.
 */
import { DatabaseError } from 'pg'
import type { ClientBase } from 'pg'
import type { RowBatch } from '../../model/row-reader.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { requestCancel } from './cancel.ts'
import { replicaProblem, transportError } from './classify-error.ts'
import { destroyConnection, rollBack } from './connection.ts'
import { descriptionsOf, isPreparedStatementError } from './prepared.ts'
import type { Field } from './prepared.ts'
import { createRowQuery } from './row-query.ts'

export interface Execution {
  readonly fields: readonly Field[]
  /**
   * Can be iterated once. A batch has the rows of one read of the socket. The socket is read only when the next
   * batch is requested: a slow reader causes backpressure.
   * @throws Problem `report_timeout`; the signal's reason; what PostgreSQL or the transport reported.
   */
  readonly batches: AsyncIterableIterator<RowBatch, undefined>
  /** From now on the timeout applies to each batch, not to all together. */
  timeEachBatch(): void
}

export interface ExecuteOptions {
  readonly text: string
  readonly values: readonly string[]
  /** Prepared on the connection under this name; if undefined, planned for this execution alone. */
  readonly prepared?: {
    readonly name: string
    /** Called with one of `PREPARED_ERRORS`; the statement is then executed without a name. */
    readonly refused: (code: string) => void
  }
  /** Limit of the time spent waiting for the server; time of the reader does not count. */
  readonly timeoutMs: Milliseconds
  /** True: in a separate read-only transaction, which is rolled back; else in the caller's. */
  readonly readOnly?: boolean
  /** Statements without rows before it in that transaction, such as `set local`. */
  readonly before?: ReadonlyArray<string | undefined>
  /** The connection is destroyed after a cancel request, which a pooler may deliver late, to another statement. */
  readonly isPooled?: boolean
}

/** If a cancelled execution and its cancel requests have not ended after this time, the connection is destroyed. */
const CANCEL_GRACE_MS: Milliseconds = 1000

export function execute(
  client: ClientBase,
  statement: ExecuteOptions,
  signal: AbortSignal,
): {
  /** Resolves once the server has begun to send the result. @throws as `batches` */
  readonly started: Promise<Execution>
  /** Why it ended early; undefined if the statement completed. Never fails. */
  readonly idle: Promise<{ readonly reason: unknown } | undefined>
} {
  const { stream } = (client as unknown as { connection: { stream: NodeJS.ReadableStream } })
    .connection
  const batches: RowBatch[] = []
  let fields: readonly Field[] | undefined
  let hasRows = false
  let isComplete = false
  let failure: { readonly reason: unknown } | undefined
  let cancelled: (() => Promise<void>) | undefined
  let wakeReader: (() => void) | undefined

  const clock = createWaitingClock(statement.timeoutMs, () =>
    stop(replicaProblem('report_timeout', undefined)),
  )
  const abort = (): void => stop(signal.reason)

  function fail(reason: unknown): void {
    failure ??= { reason }
    batches.length = 0
    stream.resume()
    wakeReader?.()
  }

  function stop(reason: unknown): void {
    if (isComplete || failure !== undefined) return
    cancelled = cancel(client, statement.isPooled ?? false)
    fail(reason)
  }

  /** Reads the socket. Resolves at the next batch, the end or a failure. */
  async function wait(): Promise<void> {
    stream.resume()
    clock.start()
    await new Promise<void>(resolve => (wakeReader = resolve))
    wakeReader = undefined
    clock.stop()
  }

  /** Resolves when the connection is ready for another statement, or destroyed. */
  function submit(name: string | undefined): Promise<void> {
    const { text, values, readOnly = false, before = [] } = statement
    const known = name === undefined ? undefined : descriptionsOf(client).get(name)
    const options = { name, text, values, skipDescribe: known !== undefined, readOnly, before }
    return new Promise((resolve, reject) => {
      const query = createRowQuery(options, {
        fields(found) {
          fields = found.map(field => ({ name: field.name, typeId: field.dataTypeID }))
          if (name !== undefined) descriptionsOf(client).set(name, fields)
        },
        batch(batch) {
          if (failure !== undefined) return
          fields ??= known
          hasRows = true
          batches.push(batch)
          stream.pause()
          wakeReader?.()
        },
        end() {
          fields ??= known ?? []
          resolve()
        },
        error: reject,
      })
      client.query(query)
    })
  }

  async function submitPrepared(name: string | undefined): Promise<void> {
    try {
      await submit(name)
    } catch (error) {
      const { code } = error as { code?: string }
      const isStale = name !== undefined && !hasRows && isPreparedStatementError(code)
      if (isStale) statement.prepared?.refused(code)
      if (!isStale || failure !== undefined)
        fail(error instanceof DatabaseError ? error : transportError(error))
      await cancelled?.()
      if (statement.readOnly === true) await rollBack(client)
      if (failure === undefined) await submitPrepared(undefined)
    }
  }

  async function run(): Promise<typeof failure> {
    if (signal.aborted) fail(signal.reason)
    else {
      signal.addEventListener('abort', abort)
      await submitPrepared(statement.prepared?.name)
      signal.removeEventListener('abort', abort)
    }
    isComplete = true
    clock.end()
    stream.resume()
    wakeReader?.()
    await cancelled?.()
    return failure
  }

  async function start(): Promise<Execution> {
    for (;;) {
      if (failure !== undefined) throw failure.reason
      if (fields !== undefined) break
      await wait()
    }
    return { fields, batches: iterator, timeEachBatch: () => clock.timeEach() }
  }

  const iterator: AsyncIterableIterator<RowBatch, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      for (;;) {
        if (failure !== undefined) throw failure.reason
        const value = batches.shift()
        if (value !== undefined) return { done: false, value }
        if (isComplete) return { done: true, value: undefined }
        await wait()
      }
    },
    async return() {
      stop(new Error('the reader has stopped'))
      batches.length = 0
      return { done: true, value: undefined }
    },
  }

  const idle = run()
  return { started: start(), idle }
}

/** Limits the total waiting time, with one timer. */
function createWaitingClock(
  timeoutMs: Milliseconds,
  onTimeout: () => void,
): { start(): void; stop(): void; timeEach(): void; end(): void } {
  let waitedMs: Milliseconds = 0
  let waitsFrom: Milliseconds | undefined
  let isEach = false
  let timer: NodeJS.Timeout | undefined

  function check(): void {
    timer = undefined
    if (waitsFrom === undefined) return
    const leftMs = timeoutMs - waitedMs - (performance.now() - waitsFrom)
    // why: a timer may fire a fraction of a millisecond early
    if (leftMs < 1) onTimeout()
    else timer = setTimeout(check, leftMs)
  }

  return {
    start() {
      waitsFrom = performance.now()
      timer ??= setTimeout(check, timeoutMs - waitedMs)
    },
    stop() {
      if (waitsFrom === undefined) return
      waitedMs = isEach ? 0 : waitedMs + performance.now() - waitsFrom
      waitsFrom = undefined
    },
    timeEach: () => void (isEach = true),
    end: () => clearTimeout(timer),
  }
}

/**
 * Cancels the statement.
 * @returns a function to call once it has ended; resolves when no cancel request is in flight, or the connection is destroyed
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
