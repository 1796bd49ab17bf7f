/**
 * Turns of what must not happen too often at a time, and the time that encodings may take of the event loop, which they
 * share.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { throwIfStopped, type Stop } from '../../model/stop.ts'
import type { Bytes, Milliseconds } from '../../model/terms.ts'

export type Turns = ReturnType<typeof createTurns>

/** @param count of those that have a turn at a time */
export function createTurns(count: number) {
  /** Those that wait, by owner. The first owner has the next turn, and then is the last. */
  const queues = new Map<string, Set<() => void>>()
  let free = count

  async function begin(stop?: Stop, owner = ''): Promise<void> {
    if (stop) throwIfStopped(stop)
    if (free === 0)
      return new Promise((resolve, reject) => {
        const queue = queues.get(owner) ?? new Set()
        queues.set(owner, queue.add(resolve))
        stop?.onStop(reason => void (queue.delete(resolve) && reject(reason)))
      })
    free -= 1
  }

  function end(): void {
    for (const [owner, queue] of queues) {
      queues.delete(owner)
      for (const next of queue) {
        queue.delete(next)
        if (queue.size > 0) queues.set(owner, queue)
        return next()
      }
    }
    free += 1
  }

  return {
    /** Waits for a turn, which lasts until `end` is called. @throws the reason of the stop, without a turn */
    begin,
    end,
    /** Begins a turn if one is free. */
    tryBegin: (): boolean => free > 0 && (free -= 1) >= 0,
    waitingCount: (owner: string): number => queues.get(owner)?.size ?? 0,
    /** Calls `work` in a turn. @returns its result @throws as `begin` */
    async during<T>(work: () => Promise<T>, stop?: Stop): Promise<T> {
      await begin(stop)
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
}

/*
 * A process has four threads of libuv, and looking up names and connecting need them, too: bodies occupy at most three,
 * so that neither a slow disk nor a long compression delays another request.
 */

/** For reading files of the spool folder. */
export const readTurns = createTurns(1)
/** For writing, creating and closing files of the spool folder. */
export const writeTurns = createTurns(1)
/** why: four compressions at once stalled the event loop for 55 to 74 ms, one for 16 to 21: they compete for cores */
export const compressionTurns = createTurns(1)

/**
 * Encodings that take long use this time between two readings of sockets, all together.
 * why: with an allowance for each, eight workbooks at once delayed a `/ping` by 160 to 260 ms.
 */
const SHARED_MS: Milliseconds = 2
/** A shorter encoding, of some hundred rows, never waits for others. */
const SHORT_MS: Milliseconds = 1

let spentMs: Milliseconds = 0
/** When an encoding had to wait last. */
let usedUpAt: Milliseconds = Number.NEGATIVE_INFINITY
/** Encodings that wait, each until it may use the time again. */
const waiting: Array<() => void> = []

function continueNext(): void {
  spentMs = 0
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(continueNext)
}

/** Size of both halves of V8's young generation in an export. */
const EXPORT_BYTES: Bytes = 2 * 4 * 2 ** 20
const PERIOD_MS: Milliseconds = 50
/** An export waits less for its next rows. */
const EXPORT_MS: Milliseconds = 500

/**
 * The young generation grows as V8 wants, but in exports only to about `EXPORT_BYTES`: a burst of one period may double it
 * more than once. A million rows as XLSX and Parquet: 26 and 34 -> 16 and 25 MiB over idle (2026-11-26, Node 20.20).
 */
export function limitMemoryOfEncodings(): void {
  setInterval(() => {
    const isEncoding = performance.now() - usedUpAt < EXPORT_MS
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    const mayGrow = !isEncoding || (space !== undefined && space.space_size < EXPORT_BYTES)
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  }, PERIOD_MS).unref()
}

/** The time that one encoding takes. */
export class LoopTime {
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

  /** Whether the work has to `wait`. */
  isUsedUp(): boolean {
    this.count()
    const isUsedUp = this.totalMs >= SHORT_MS && spentMs >= SHARED_MS
    if (isUsedUp) usedUpAt = this.since
    return isUsedUp
  }

  async wait(): Promise<void> {
    await new Promise<void>(resolve => {
      if (waiting.push(resolve) === 1) setImmediate(continueNext)
    })
    this.begin()
  }
}
