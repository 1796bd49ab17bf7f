/** How long an organization has executed: lately, for the order of service, and in the last minute, for operators. */
import type { BusyOrganization } from '../../model/gauges.ts'
import type { Milliseconds } from '../../model/terms.ts'

/** Of one organization. */
export interface ExecutionTimes {
  readonly executing: ReadonlySet<{ readonly startedAt: Milliseconds }>
  /** Execution time lately, as of `endedAt`. */
  spentMs: Milliseconds
  /** End of its last execution. */
  endedAt: Milliseconds
  /** Time of ended executions by slices of 10 s, the oldest first. */
  readonly slices: Map<number, Milliseconds>
}

export const NO_EXECUTIONS = { spentMs: 0, endedAt: Number.NEGATIVE_INFINITY } as const

/** After this time, execution time counts half. */
const HALF_LIFE_MS: Milliseconds = 5000
/** More does not count, so that an organization never waits long for those that had less. */
const MAX_SPENT_MS: Milliseconds = 1500
const SLICE_MS: Milliseconds = 10_000
const MINUTE_MS: Milliseconds = 60_000

/**
 * Orders organizations by execution time lately. It rises while an organization executes, and else does not change: what
 * all have spent halves together.
 */
export function rankOf(times: ExecutionTimes, at: Milliseconds): number {
  let currentMs: Milliseconds = 0
  for (const { startedAt } of times.executing) currentMs += at - startedAt
  // why: an execution may have begun after `at`
  if (currentMs <= 0) return Math.log2(times.spentMs) + times.endedAt / HALF_LIFE_MS
  return Math.log2(spentWith(times, at, currentMs)) + at / HALF_LIFE_MS
}

/** An execution has ended. */
export function countExecution(times: ExecutionTimes, at: Milliseconds, ms: Milliseconds): void {
  times.spentMs = spentWith(times, at, ms)
  times.endedAt = at
  const slice = Math.floor(at / SLICE_MS)
  const known = times.slices.get(slice)
  times.slices.set(slice, (known ?? 0) + ms)
  if (known !== undefined) return
  for (const old of times.slices.keys()) if (old <= oldestAt(at)) times.slices.delete(old)
}

function spentWith(
  { spentMs, endedAt }: ExecutionTimes,
  at: Milliseconds,
  ms: Milliseconds,
): number {
  return Math.min(MAX_SPENT_MS, spentMs * 2 ** ((endedAt - at) / HALF_LIFE_MS) + ms)
}

/** The newest slice that is over for a minute. */
const oldestAt = (at: Milliseconds): number => Math.floor((at - MINUTE_MS) / SLICE_MS)

interface Load extends ExecutionTimes {
  readonly id: string
  readonly queue: readonly unknown[]
}

/** By execution time in the last minute, in descending order. */
export function busiestOf(loads: Iterable<Load>, at: Milliseconds): BusyOrganization[] {
  return [...loads]
    .filter(one => one.endedAt > at - MINUTE_MS || one.executing.size + one.queue.length > 0)
    .map(({ id, executing, queue, slices }) => {
      const ended = Array.from(slices, ([slice, ms]) => (slice > oldestAt(at) ? ms : 0))
      const current = Array.from(executing, one => Math.min(MINUTE_MS, at - one.startedAt))
      const executionMs = sum([...ended, ...current])
      return { id, executionMs, executing: executing.size, waiting: queue.length }
    })
    .toSorted((a, b) => b.executionMs - a.executionMs)
}

/** The largest part of the execution time in the last minute that one organization has; 0 without executions. */
export function busiestRatio(busiest: readonly BusyOrganization[]): number {
  const times = busiest.map(({ executionMs }) => executionMs)
  return (times[0] ?? 0) / (sum(times) || 1)
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
