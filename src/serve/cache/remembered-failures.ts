/** Which failures of a load are cached, and for how long. */
import { Problem, type ProblemCode } from '../../model/errors.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { Entry } from './cache.ts'

/** Those that the load itself causes: another within seconds would fail again, and occupy a connection. */
const REMEMBERED: ReadonlySet<ProblemCode> = new Set([
  'report_timeout',
  'result_too_large',
  'internal_error',
])
const LEAST_MS: Milliseconds = 5000
const MOST_MS: Milliseconds = 30_000

export function isRemembered(error: unknown): error is Problem {
  return error instanceof Problem && REMEMBERED.has(error.code)
}

/** @param timeoutMs of the definition: a timeout is remembered for as long, within bounds */
export function failureEntry(
  problem: Problem,
  timeoutMs: Milliseconds,
  nowMs: Milliseconds,
): Entry {
  const isTimeout = problem.code === 'report_timeout'
  const untilMs = nowMs + (isTimeout ? Math.min(MOST_MS, Math.max(LEAST_MS, timeoutMs)) : LEAST_MS)
  const times = { startedAt: nowMs, freshUntil: untilMs, staleUntil: untilMs }
  return { ...times, value: { byteCount: 0 }, version: 0, isOwed: false, isStored: true, problem }
}
