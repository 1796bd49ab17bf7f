/**
 * Time-outs of database traffic. They count only time in which this process reads its sockets: while its event loop is
 * held, or the process is stopped, responses arrive that nobody reads.
 */
import { DatabaseError } from 'pg'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { transportError } from './classify-error.ts'

/** A longer turn of the event loop counts as this. */
const MAX_TURN_MS: Milliseconds = 50
let tickedMs: Milliseconds = 0
let tickedAt = performance.now()

/** Monotonic; stands still while the event loop is held. */
export const awakeClock: Clock = () =>
  tickedMs + Math.min(performance.now() - tickedAt, MAX_TURN_MS)

/** Those that run. */
const running: Timeout[] = []

setInterval(() => {
  tickedMs = awakeClock()
  tickedAt = performance.now()
  // why: after a held turn timers come first, then sockets, then immediates
  if (running.some(isLate)) setImmediate(() => running.filter(isLate).forEach(one => one.end()))
  // why: half, so that the usual delays of a busy machine count
}, MAX_TURN_MS / 2).unref()

const isLate = (one: Timeout): boolean => one.passedMs() >= one.timeoutMs

/** Begins at once. why: a look at the clock costs less than a timer for each statement */
export class Timeout {
  readonly timeoutMs: Milliseconds
  private readonly onLate: (error: Error) => void
  private spentMs: Milliseconds = 0
  private startedAt: Milliseconds = 0

  /** @param onLate is called after so long, with an error that has the code `ETIMEDOUT` */
  constructor(timeoutMs: Milliseconds, onLate: (error: Error) => void) {
    this.timeoutMs = timeoutMs
    this.onLate = onLate
    this.start()
  }

  /** Continues after a `stop`. */
  start(): void {
    this.startedAt = awakeClock()
    running.push(this)
  }

  stop(): void {
    const at = running.indexOf(this)
    if (at < 0) return
    running.splice(at, 1)
    this.spentMs = this.passedMs()
  }

  passedMs(): Milliseconds {
    return this.spentMs + awakeClock() - this.startedAt
  }

  end(): void {
    this.stop()
    const error = new Error(`no response within ${this.timeoutMs} ms`)
    this.onLate(Object.assign(error, { code: 'ETIMEDOUT' }))
  }
}

/**
 * @param client is destroyed if it does not respond in time; without it the work continues
 * @throws what `work` rejects with; an error with the code `ETIMEDOUT`
 */
export function within<T>(
  timeoutMs: Milliseconds,
  work: Promise<T>,
  client?: { destroy(): void; readonly socket: { readonly destroyed: boolean } },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeout = new Timeout(timeoutMs, error => {
      client?.destroy()
      reject(transportError(error))
    })
    work
      .then(resolve, (error: unknown) => {
        const isLost = client?.socket.destroyed === true && !(error instanceof DatabaseError)
        reject(isLost ? transportError(error) : error)
      })
      .finally(() => timeout.stop())
  })
}
