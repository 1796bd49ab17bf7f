/**
 * Time-outs of database traffic. They count only time in which this process reads its sockets: while its event loop is
 * held, or the process is stopped, responses arrive that nobody reads.
 */
import type { Clock, Milliseconds } from '../../model/terms.ts'

/** A longer turn of the event loop counts as this. */
const MAX_TURN_MS: Milliseconds = 50
let tickedMs: Milliseconds = 0
let tickedAt = performance.now()

/** Monotonic; stands still while the event loop is held. */
export const awakeClock: Clock = () =>
  tickedMs + Math.min(performance.now() - tickedAt, MAX_TURN_MS)

setInterval(() => {
  tickedMs = awakeClock()
  tickedAt = performance.now()
  // why: half, so that the usual delays of a busy machine count
}, MAX_TURN_MS / 2).unref()

/**
 * Calls `onLate` after so long, with an error that has the code `ETIMEDOUT`.
 * @returns `stop` ends it, or interrupts it until `start`
 */
export function startTimeout(timeoutMs: Milliseconds, onLate: (error: Error) => void) {
  const message = `no response within ${timeoutMs} ms`
  let leftMs = timeoutMs
  let startedAt: Milliseconds
  let timer: NodeJS.Timeout
  let immediate: NodeJS.Immediate | undefined
  function start(): void {
    startedAt = awakeClock()
    // why: after a held turn timers come first, then sockets, then immediates
    timer = setTimeout(() => (immediate = setImmediate(check)), leftMs)
  }
  function stop(): void {
    leftMs -= awakeClock() - startedAt
    clearTimeout(timer)
    clearImmediate(immediate)
  }
  function check(): void {
    stop()
    // why: a timer may fire a fraction of a millisecond early
    if (leftMs < 1) onLate(Object.assign(new Error(message), { code: 'ETIMEDOUT' }))
    else start()
  }
  start()
  return { start, stop }
}
