/** A seeded simulation of admission in virtual time: organizations ask, executions take their time, nothing waits for real. */
import { createAdmission } from '../../src/replica/admission.ts'
import type { Slot } from '../../src/replica/admission-request.ts'
import type { Admission } from '../../src/replica/admission.ts'
import { createExecutionCosts } from '../../src/replica/execution-costs.ts'
import { Problem } from '../../src/errors.ts'
import type { Milliseconds, OrganizationBudget } from '../../src/terms.ts'

export interface Ask {
  readonly organization: string
  /** What the execution takes. */
  readonly takesMs: Milliseconds
  /** Equal for executions that take about as long. */
  readonly alike?: string
  readonly identity?: string
  /** False ends early, as by a deadline. */
  readonly isComplete?: boolean
  /** By default any. */
  readonly servers?: readonly string[]
  readonly signal?: AbortSignal
}

export interface Outcome {
  readonly waitedMs: Milliseconds
  readonly totalMs: Milliseconds
  readonly server: string | undefined
  readonly problem: Problem | undefined
}

export interface Simulation {
  readonly admission: Admission<string>
  nowMs(): Milliseconds
  /** From 0 to 1, by the seed. */
  random(): number
  at(ms: Milliseconds, action: () => void): void
  ask(ask: Ask): Promise<Outcome>
  /** Until nothing is left to happen, or so long. */
  run(untilMs?: Milliseconds): Promise<void>
  /** Execution time so far. */
  busyMs(): Milliseconds
  /** Ended so far. */
  executions(): number
}

export function createSimulation(options: {
  readonly slots: Readonly<Record<string, number>>
  readonly seed?: number
  readonly queueTimeoutMs?: Milliseconds
  readonly budget?: OrganizationBudget
}): Simulation {
  const { slots, seed = 1, queueTimeoutMs = 20_000 } = options
  let nowMs = 0
  let busyMs = 0
  let executions = 0
  let serial = 0
  const random = mulberry32(seed)
  const events: Array<{ readonly ms: Milliseconds; readonly serial: number; action: () => void }> =
    []

  function at(ms: Milliseconds, action: () => void): () => void {
    const event = { ms: Math.max(ms, nowMs), serial: (serial += 1), action }
    // why: a binary search keeps the events in order, those of one moment in the order of their making
    let low = 0
    let high = events.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (events[middle]!.ms <= event.ms) low = middle + 1
      else high = middle
    }
    events.splice(low, 0, event)
    return () => void (event.action = () => undefined)
  }

  const names = Object.keys(slots)
  const admission = createAdmission<string>({
    servers: names,
    slotsOf: name => slots[name]!,
    onWait: () => undefined,
    costs: createExecutionCosts(),
    queueTimeoutMs,
    budget: options.budget,
    now: () => nowMs,
    random,
    schedule: (ms, callback) => at(nowMs + ms, callback),
  })

  async function ask(one: Ask): Promise<Outcome> {
    const askedMs = nowMs
    const { signal = new AbortController().signal, servers = names } = one
    let slot: Slot<string>
    try {
      slot = await admission.acquire({
        organizationId: one.organization,
        definition: 'x',
        alike: `${one.organization} ${one.alike ?? ''}`,
        identity: one.identity ?? String((serial += 1)),
        servers: () =>
          servers.toSorted((a, b) => admission.executingOn(a) - admission.executingOn(b)),
        noServer: () => new Error('no server'),
        isRetry: false,
        signal,
      })
    } catch (error) {
      const problem = error instanceof Problem ? error : undefined
      return { waitedMs: nowMs - askedMs, totalMs: nowMs - askedMs, server: undefined, problem }
    }
    const startedMs = nowMs
    await new Promise<void>(resolve => at(nowMs + one.takesMs, resolve))
    busyMs += nowMs - startedMs
    executions += 1
    slot.release(one.isComplete ?? true)
    const { server } = slot
    return { waitedMs: startedMs - askedMs, totalMs: nowMs - askedMs, server, problem: undefined }
  }

  return {
    admission,
    nowMs: () => nowMs,
    random,
    at,
    ask,
    async run(untilMs = Number.POSITIVE_INFINITY) {
      // why: what an event resolves goes on in microtasks, before time does
      for (;;) {
        await new Promise(resolve => setImmediate(resolve))
        const next = events[0]
        if (next === undefined || next.ms > untilMs) break
        events.shift()
        nowMs = next.ms
        next.action()
      }
      nowMs = Math.max(nowMs, Number.isFinite(untilMs) ? untilMs : nowMs)
    },
    busyMs: () => busyMs,
    executions: () => executions,
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
