/**
 * The load of each organization: waiting, executing and recent executions, and its spent budget, a token bucket that
 * refills evenly. A load is removed when its organization is idle.
 */
import type { BusyOrganization } from '../../model/gauges.ts'
import type { BudgetState, Clock, Milliseconds, OrganizationBudget } from '../../model/terms.ts'
import type { Executing } from './execution-costs.ts'

/** Of one organization. */
export interface OrganizationLoad<Waiting> {
  readonly id: string
  /** In the order of service. */
  readonly queue: Waiting[]
  /** Expected execution time of the queue. */
  queuedMs: Milliseconds
  readonly executing: Set<Executing>
  /** Credit of deficit round robin; negative is a debt. */
  creditMs: Milliseconds
  /** Retries up to this instant have been promised to clients. @see promiseRetry */
  nextRetryAt: Milliseconds
  /** Spent part of `ORGANIZATION_BUDGET` at `spentAt`; more than the budget is a debt. */
  spentMs: Milliseconds
  spentAt: Milliseconds
  /** Execution time per slice of 10 s, the newest last. */
  readonly recent: Array<{ readonly slice: number; durationMs: Milliseconds }>
  /** When it last waited or executed. */
  activeAt: Milliseconds
  /** A minute after this the load is removed, unless it is busy or its budget is not full. */
  usedAt: Milliseconds
}

/** How long an organization still competes after its last execution. */
const ACTIVE_MS: Milliseconds = 10_000
const SLICE_MS: Milliseconds = 10_000
const RECENT_MS: Milliseconds = 60_000

export function createOrganizationLoads<Waiting>(
  now: Clock,
  budget: OrganizationBudget | undefined,
) {
  type Load = OrganizationLoad<Waiting>
  /** In the order of `usedAt`. */
  const loads = new Map<string, Load>()
  const busy = new Set<Load>()
  /** The two most recently active. */
  let newest: Load | undefined
  let second: Load | undefined

  function use(load: Load): void {
    load.usedAt = now()
    loads.delete(load.id)
    loads.set(load.id, load)
  }

  /** Constant time per removed load. */
  function removeIdle(): void {
    const before = now() - RECENT_MS
    for (const load of loads.values()) {
      if (load.usedAt > before) return
      spend(load, 0)
      if (busy.has(load) || load.spentMs > 0) use(load)
      else loads.delete(load.id)
    }
  }

  /** Refills the budget up to now, then spends the amount; a negative amount is returned to the budget. */
  function spend(load: Load, amountMs: Milliseconds): void {
    if (budget === undefined) return
    const refilledMs = ((now() - load.spentAt) * budget.executionMs) / budget.windowMs
    load.spentMs = Math.max(0, load.spentMs - refilledMs) + amountMs
    load.spentAt = now()
  }

  function recentMs({ recent, executing }: Load): Milliseconds {
    const at = now()
    const oldest = Math.floor((at - RECENT_MS) / SLICE_MS)
    const ended = recent.map(({ slice, durationMs }) => (slice > oldest ? durationMs : 0))
    const current = Array.from(executing, ({ startedAt }) => Math.min(RECENT_MS, at - startedAt))
    return [...ended, ...current].reduce((sum, one) => sum + one, 0)
  }

  /** Call it when an organization waits, executes or has just ended an execution. */
  function touch(load: Load): void {
    use(load)
    load.activeAt = now()
    if (load !== newest) [newest, second] = [load, newest]
    if (load.queue.length > 0 || load.executing.size > 0) busy.add(load)
    else busy.delete(load)
  }

  function of(id: string): Load {
    removeIdle()
    const known = loads.get(id)
    if (known) return known
    const load: Load = {
      id,
      queue: [],
      queuedMs: 0,
      executing: new Set(),
      creditMs: 0,
      nextRetryAt: 0,
      spentMs: 0,
      spentAt: now(),
      recent: [],
      activeAt: Number.NEGATIVE_INFINITY,
      usedAt: 0,
    }
    use(load)
    return load
  }

  return {
    of,
    touch,
    spend,
    /** Time until budget remains after its current executions and `queuedMs`; 0 if some remains now. */
    budgetWaitMs(load: Load, queuedMs: Milliseconds): Milliseconds {
      if (budget === undefined) return 0
      spend(load, 0)
      let usedMs = load.spentMs + queuedMs
      // why: only the estimate was charged; an execution that exceeds it costs more
      for (const one of load.executing) {
        usedMs += Math.max(0, now() - one.startedAt - one.expectedMs)
      }
      return Math.max(0, ((usedMs - budget.executionMs) * budget.windowMs) / budget.executionMs)
    },
    /** Undefined if no budget is configured. */
    budgetOf(id: string): BudgetState | undefined {
      if (budget === undefined) return undefined
      const load = of(id)
      spend(load, 0)
      const { executionMs, windowMs } = budget
      const remainingMs = Math.max(0, executionMs - load.spentMs)
      const missingMs = remainingMs > 0 ? load.spentMs : load.spentMs - executionMs
      const resetSeconds = Math.ceil((Math.max(0, missingMs) * windowMs) / executionMs / 1000)
      return { remainingMs, resetSeconds }
    },
    executed(load: Load, durationMs: Milliseconds): void {
      touch(load)
      const slice = Math.floor(now() / SLICE_MS)
      const last = load.recent.at(-1)
      if (last?.slice === slice) last.durationMs += durationMs
      else load.recent.push({ slice, durationMs })
      if (load.recent.length > RECENT_MS / SLICE_MS) load.recent.shift()
    },
    /** Whether another organization waits, executes, or did so within the last 10 s. */
    isContended(load: Load): boolean {
      if (busy.size > (busy.has(load) ? 1 : 0)) return true
      const other = load === newest ? second : newest
      return other !== undefined && other.activeAt > now() - ACTIVE_MS
    },
    /** The largest part of the execution time in the last minute that one organization has; 0 without executions. */
    busiestRatio: (): number => {
      let [most, sum] = [0, 0]
      for (const load of loads.values()) {
        const executionMs = recentMs(load)
        most = Math.max(most, executionMs)
        sum += executionMs
      }
      return sum === 0 ? 0 : most / sum
    },
    /** By execution time in the last minute, in descending order. */
    busiest: (count: number): BusyOrganization[] =>
      [...loads.values()]
        .map(load => ({
          id: load.id,
          executionMs: recentMs(load),
          executing: load.executing.size,
          waiting: load.queue.length,
        }))
        .filter(({ executionMs, executing, waiting }) => executionMs + executing + waiting > 0)
        .toSorted((a, b) => b.executionMs - a.executionMs)
        .slice(0, count),
  }
}
