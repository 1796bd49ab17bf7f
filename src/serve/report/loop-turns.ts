/**
 * Encodings share the event loop: those that take long use two milliseconds of each of its turns, all together.
 * why: with an allowance for each, eight workbooks at once delayed a `/ping` by 160 to 260 ms.
 */
import type { Milliseconds } from '../../model/terms.ts'

const TURN_MS: Milliseconds = 2
/** A shorter encoding, of some hundred rows, never waits for others. */
const SHORT_MS: Milliseconds = 1

/** Time of this turn of the event loop that encodings took. */
let spentMs: Milliseconds = 0
/** When an encoding had to wait for a turn last. */
let usedUpAt: Milliseconds = Number.NEGATIVE_INFINITY
/** Encodings that wait for a turn, each for one of its own. */
const waiting: Array<() => void> = []

function beginTurn(): void {
  spentMs = 0
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(beginTurn)
}

/** Whether an encoding had to wait for a turn in so many last milliseconds. */
export function isEncoding(lastMs: Milliseconds): boolean {
  return performance.now() - usedUpAt < lastMs
}

/** The time that one encoding takes. */
export class Turn {
  private totalMs: Milliseconds = 0
  private since: Milliseconds = performance.now()

  /** Call it when the work continues after a wait. */
  begin(): void {
    this.since = performance.now()
  }

  /** Call it when the work pauses. */
  count(): void {
    const now = performance.now()
    const durationMs = now - this.since
    this.since = now
    this.totalMs += durationMs
    spentMs += durationMs
  }

  /** Whether the work has to wait for `next`. */
  isOver(): boolean {
    this.count()
    const isOver = this.totalMs >= SHORT_MS && spentMs >= TURN_MS
    if (isOver) usedUpAt = this.since
    return isOver
  }

  async next(): Promise<void> {
    await new Promise<void>(resolve => {
      if (waiting.push(resolve) === 1) setImmediate(beginTurn)
    })
    this.begin()
  }
}
