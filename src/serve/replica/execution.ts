/**
 * One statement on one connection, whose rows are pulled in batches. Knows pg; knows nothing of definitions,
 * formats or the cache.
 *
 * It ends by its last row, by an error, by its signal, by its timeout, or because its reader stops. However it
 * ends, `idle` resolves once: the connection is ready for another statement then, or destroyed.
 */
import type { ClientBase } from 'pg'
import type { RowBatch } from '../../model/row-reader.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { requestCancel } from './cancel.ts'
import { replicaProblem } from './classify-error.ts'
import { destroyConnection, rollBack } from './connection.ts'
import { descriptionsOf, isNotAsPrepared } from './prepared.ts'
import type { Field } from './prepared.ts'
import { createRowQuery } from './row-query.ts'

export interface Execution {
  readonly fields: readonly Field[]
  /**
   * To be read once. A batch is what one read of the socket brought. The socket is read when the next batch is
   * asked for, so a reader that is slow, or does other work first, holds the server back.
   * @throws Problem `report_timeout`; the signal's reason; what PostgreSQL or the transport reported.
   */
  readonly batches: AsyncIterableIterator<RowBatch, undefined>
  /** From now on the timeout is that of each batch, not that of all. */
  timeEachBatch(): void
}

export interface ExecuteOptions {
  readonly text: string
  readonly values: readonly string[]
  /** Prepared on the connection under this name; undefined is planned for this execution alone. */
  readonly prepared?: {
    readonly name: string
    /** One of `NOT_AS_PREPARED`: the statement is executed without a name. */
    readonly refused: (code: string) => void
  }
  /** Of the time that is spent on waiting for the server; time that the reader takes does not count. */
  readonly timeoutMs: Milliseconds
  /** In a read-only transaction of its own, which is rolled back; else in the caller's. */
  readonly readOnly?: boolean
  /** `set local` statement for that transaction. */
  readonly setLocal?: string | undefined
  /** A pooler may deliver a cancel request late, to another statement: the connection is destroyed after one. */
  readonly isPooled?: boolean
}

/** A cancelled execution that has not ended after so long, its cancel requests included, ends with its connection. */
const CANCEL_GRACE_MS: Milliseconds = 1000

export function execute(
  client: ClientBase,
  statement: ExecuteOptions,
  signal: AbortSignal,
): {
  /** Once the server has begun to send the result. @throws as `batches` */
  readonly started: Promise<Execution>
  /** Why it ended early; undefined if the statement came to its end. Never fails. */
  readonly idle: Promise<{ readonly reason: unknown } | undefined>
} {
  const { stream } = (client as unknown as { connection: { stream: NodeJS.ReadableStream } })
    .connection
  const batches: RowBatch[] = []
  let fields: readonly Field[] | undefined
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

  /** Resolves when there is something for the reader. */
  async function wait(): Promise<void> {
    stream.resume()
    clock.start()
    await new Promise<void>(resolve => (wakeReader = resolve))
    wakeReader = undefined
    clock.stop()
  }

  /** Resolves when the connection is ready for another statement, or gone. */
  function submit(name: string | undefined): Promise<void> {
    const { text, values, readOnly = false, setLocal } = statement
    const described = name === undefined ? undefined : descriptionsOf(client).get(name)
    const asked = { name, text, values, undescribed: described !== undefined, readOnly, setLocal }
    return new Promise((resolve, reject) => {
      const query = createRowQuery(asked, {
        fields(found) {
          fields = found.map(field => ({ name: field.name, typeId: field.dataTypeID }))
          if (name !== undefined) descriptionsOf(client).set(name, fields)
        },
        batch(batch) {
          if (failure !== undefined) return
          fields ??= described
          batches.push(batch)
          stream.pause()
          wakeReader?.()
        },
        end() {
          fields ??= described ?? []
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
      const isStale = name !== undefined && batches.length === 0 && isNotAsPrepared(code)
      if (isStale) statement.prepared?.refused(code)
      if (!isStale || failure !== undefined) fail(error)
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

/** Adds up the time that is spent on waiting, by one timer. */
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
    // why: timers may be a part of a millisecond early
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
