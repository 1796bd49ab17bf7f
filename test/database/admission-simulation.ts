/** A seeded simulation of admission in virtual time: requests and executions without real waits. */
import { createAdmission } from '../../src/serve/database/admission.ts'
import type { Slot } from '../../src/serve/database/admission-request.ts'
import { Problem } from '../../src/model/errors.ts'
import { createStop, type Stop } from '../../src/model/stop.ts'
import type { Milliseconds } from '../../src/model/terms.ts'

export interface Ask {
  readonly organization: string
  /** Duration of the execution. */
  readonly takesMs: Milliseconds
  /** Default: all. */
  readonly usable?: () => readonly string[]
  readonly isRetry?: boolean
  readonly stop?: Stop
}

export interface Outcome {
  readonly endedAt: Milliseconds
  readonly waitedMs: Milliseconds
  readonly totalMs: Milliseconds
  readonly replica: string | undefined
  readonly problem: Problem | undefined
}

export type Simulation = ReturnType<typeof createSimulation>

const REVIEW_EVERY_MS: Milliseconds = 250

export function createSimulation(options: {
  readonly slots: Readonly<Record<string, number>>
  readonly seed?: number
  readonly queueTimeoutMs?: Milliseconds
}) {
  const { slots, seed = 1, queueTimeoutMs = 20_000 } = options
  let nowMs = 0
  let pendingCount = 0
  const random = mulberry32(seed)
  const events: Array<{ readonly ms: Milliseconds; readonly action: () => void }> = []

  function at(ms: Milliseconds, action: () => void): void {
    const event = { ms: Math.max(ms, nowMs), action }
    const later = events.findLastIndex(one => one.ms <= event.ms)
    events.splice(later + 1, 0, event)
  }

  const names = Object.keys(slots)
  const admission = createAdmission<string>({
    replicas: names,
    slotsOf: name => slots[name]!,
    queueTimeoutMs,
    now: () => nowMs,
  })
  const pause = (ms: Milliseconds) => new Promise<void>(resolve => at(nowMs + ms, resolve))
  const all = () => names.toSorted((a, b) => admission.executingOn(a) - admission.executingOn(b))

  function review(): void {
    admission.review()
    if (pendingCount > 0) at(nowMs + REVIEW_EVERY_MS, review)
  }

  async function ask(one: Ask): Promise<Outcome> {
    const askedMs = nowMs
    if ((pendingCount += 1) === 1) at(nowMs + REVIEW_EVERY_MS, review)
    let slot: Slot<string> | undefined
    let problem: Problem | undefined
    try {
      slot = await admission.acquire({
        organizationId: one.organization,
        usable: one.usable ?? all,
        noneUsable: () => new Error('no replica'),
        isRetry: one.isRetry ?? false,
        stop: one.stop ?? createStop(),
      })
    } catch (error) {
      if (error instanceof Problem) problem = error
    }
    pendingCount -= 1
    const waitedMs = nowMs - askedMs
    if (slot) await pause(one.takesMs)
    slot?.release()
    const totalMs = nowMs - askedMs
    return { endedAt: nowMs, waitedMs, totalMs, replica: slot?.replica, problem }
  }

  async function run(untilMs = Number.POSITIVE_INFINITY): Promise<void> {
    // why: callbacks of an event run as microtasks, before the time advances
    for (;;) {
      await new Promise(setImmediate)
      const next = events[0]
      if (next === undefined || next.ms > untilMs) break
      events.shift()
      nowMs = next.ms
      next.action()
    }
    if (Number.isFinite(untilMs)) nowMs = Math.max(nowMs, untilMs)
  }

  return {
    admission,
    nowMs: (): Milliseconds => nowMs,
    between: (least: number, most: number): number => least + (most - least) * random(),
    at,
    pause,
    ask,
    /** Number of concurrent requests. */
    burst: (count: number, one: Ask) => Promise.all(Array.from({ length: count }, () => ask(one))),
    /** Until no event is left, or until that time. */
    run,
    async result<T>(of: Promise<T>): Promise<T> {
      await run()
      return of
    },
  }
}

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
