/** The load of each organization: waiting, executing and recent executions. A load is removed when its organization is idle. */
import type { BusyOrganization } from '../../model/gauges.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
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
  /** Execution time per slice of 10 s, the newest last. */
  readonly recent: Array<{ readonly slice: number; durationMs: Milliseconds }>
  /** When it last waited or executed. A minute later the load is removed, unless it is busy. */
  activeAt: Milliseconds
}

/** How long an organization still competes after its last execution. */
const ACTIVE_MS: Milliseconds = 10_000
const SLICE_MS: Milliseconds = 10_000
const RECENT_MS: Milliseconds = 60_000

export function createOrganizationLoads<Waiting>(now: Clock) {
  type Load = OrganizationLoad<Waiting>
  /** In the order of `activeAt`. */
  const loads = new Map<string, Load>()
  const busy = new Set<Load>()
  /** The two most recently active. */
  let newest: Load | undefined
  let second: Load | undefined

  function use(load: Load): void {
    load.activeAt = now()
    loads.delete(load.id)
    loads.set(load.id, load)
  }

  /** Constant time per removed load. */
  function removeIdle(): void {
    const before = now() - RECENT_MS
    for (const load of loads.values()) {
      if (load.activeAt > before) return
      if (busy.has(load)) use(load)
      else loads.delete(load.id)
    }
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
      recent: [],
      activeAt: 0,
    }
    use(load)
    return load
  }

  return {
    of,
    touch,
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
