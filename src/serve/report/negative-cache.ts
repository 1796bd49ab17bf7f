/**
 * Remembers failures that the report itself causes, such as a timeout. A retry within seconds would fail again and
 * occupy a connection. Until the failure expires, each request gets the same problem without an execution, even with
 * `no-cache`.
 */
import { Problem } from '../../model/errors.ts'
import type { ProblemCode } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { ReportRequest } from './report-request.ts'

export type NegativeCache = ReturnType<typeof createNegativeCache>

const CAUSED_BY_REPORT: ReadonlySet<ProblemCode> = new Set([
  'report_timeout',
  'result_too_large',
  'internal_error',
])

const MIN_REMEMBERED_MS: Milliseconds = 5000
/** A timeout is remembered for the definition's `timeoutMs`, within these two bounds. */
const MAX_REMEMBERED_MS: Milliseconds = 30_000
/** Of about 500 bytes each. */
const MAX_ENTRIES = 1000

/** @param options.elapsed a monotonic clock */
export function createNegativeCache(options: {
  readonly observe: Observe
  readonly elapsed: Clock
}) {
  const { observe, elapsed } = options
  /** Oldest first. */
  const failures = new Map<string, { readonly problem: Problem; readonly untilMs: Milliseconds }>()

  return {
    /** @throws Problem that is remembered for the key */
    check({ key, definition }: ReportRequest): void {
      const failure = failures.get(key)
      if (failure === undefined) return
      if (elapsed() < failure.untilMs) {
        observe({ kind: 'execution-spared', definition: definition.name })
        throw failure.problem
      }
      failures.delete(key)
    },
    /** Remembers the error if the report caused it. */
    remember({ key, definition }: ReportRequest, error: unknown): void {
      if (!(error instanceof Problem && CAUSED_BY_REPORT.has(error.code))) return
      failures.delete(key)
      const [oldest] = failures.keys()
      if (failures.size >= MAX_ENTRIES) failures.delete(oldest!)
      const rememberedMs =
        error.code === 'report_timeout'
          ? Math.min(MAX_REMEMBERED_MS, Math.max(MIN_REMEMBERED_MS, definition.timeoutMs))
          : MIN_REMEMBERED_MS
      failures.set(key, { problem: error, untilMs: elapsed() + rememberedMs })
    },
  }
}
