/** How long an organization has executed: lately, for the order of service, and in about a minute, for operators. */
import type { BusyOrganization } from '../../model/gauges.ts'
import type { Milliseconds } from '../../model/terms.ts'

/** What one organization has executed. */
export interface ExecutionTimes {
  readonly executing: ReadonlyArray<{ readonly startedAt: Milliseconds }>
  /** Execution time lately, as of `endedAt`. */
  spentMs: Milliseconds
  /** Execution time in about a minute, as of `endedAt`: older time counts less and less. */
  recentMs: Milliseconds
  /** End of its last execution. */
  endedAt: Milliseconds
}

export const NO_EXECUTIONS = { spentMs: 0, recentMs: 0, endedAt: Number.NEGATIVE_INFINITY } as const

/** After this time, execution time counts half. */
const HALF_LIFE_MS: Milliseconds = 5000
/** More does not count, so that an organization never waits long for those that had less. */
const MAX_SPENT_MS: Milliseconds = 1500
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
  times.recentMs = recentAt(times, at) + ms
  times.endedAt = at
}

function spentWith(
  { spentMs, endedAt }: ExecutionTimes,
  at: Milliseconds,
  ms: Milliseconds,
): number {
  return Math.min(MAX_SPENT_MS, spentMs * 2 ** ((endedAt - at) / HALF_LIFE_MS) + ms)
}

function recentAt({ recentMs, endedAt }: ExecutionTimes, at: Milliseconds): Milliseconds {
  return recentMs * Math.exp((endedAt - at) / MINUTE_MS)
}

interface Load extends ExecutionTimes {
  readonly id: string
  readonly queue: readonly unknown[]
}

/** Organizations that have executed or wait, the longest execution time in about a minute first. */
export function busiestOf(loads: Iterable<Load>, at: Milliseconds): BusyOrganization[] {
  return Array.from(loads, one => {
    const current = one.executing.map(({ startedAt }) => Math.min(MINUTE_MS, at - startedAt))
    const executionMs = Math.round(sum([recentAt(one, at), ...current]))
    return { id: one.id, executionMs, executing: current.length, waiting: one.queue.length }
  })
    .filter(one => one.executionMs + one.executing + one.waiting > 0)
    .toSorted((a, b) => b.executionMs - a.executionMs)
}

/** The largest part of the execution time that one organization has; 0 without executions. */
export function busiestRatio(busiest: readonly BusyOrganization[]): number {
  const times = busiest.map(({ executionMs }) => executionMs)
  return (times[0] ?? 0) / (sum(times) || 1)
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
