/**
 * Remembers failures that the report itself causes, such as a timeout. A retry within seconds would fail again and
 * occupy a connection. Until the failure expires, each request gets the same problem without an execution, even with
 * `no-cache`.
 */
import { Problem } from '../../model/errors.ts'
import type { ProblemCode } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { cacheKey } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'

/** @param variant the format, since a response may be too large for one format only */
export interface NegativeCache {
  /** @throws Problem that is remembered for the same organization, definition and period. */
  check(request: ReportRequest, variant: string): void
  /** Remembers the error if the report caused it. */
  remember(request: ReportRequest, variant: string, error: unknown): void
  /** As `remember`, for a stream that failed after its first byte. */
  rememberBreak(request: ReportRequest, variant: string, error: unknown): void
}

const CAUSED_BY_REPORT: ReadonlySet<ProblemCode> = new Set([
  'report_timeout',
  'result_too_large',
  'internal_error',
])

const MIN_REMEMBERED_MS: Milliseconds = 5000
/** For broken streams. A timeout is remembered for the definition's `timeoutMs`, within these two bounds. */
const MAX_REMEMBERED_MS: Milliseconds = 30_000
/** Of about 500 bytes each. */
const MAX_ENTRIES = 1000

/** @param options.elapsed a monotonic clock */
export function createNegativeCache(options: {
  readonly observe: Observe
  readonly elapsed: Clock
}): NegativeCache {
  const { observe, elapsed } = options
  /** Oldest first. */
  const failures = new Map<string, { readonly problem: Problem; readonly untilMs: Milliseconds }>()

  function add(request: ReportRequest, variant: string, error: unknown, forMs: Milliseconds): void {
    if (!(error instanceof Problem && CAUSED_BY_REPORT.has(error.code))) return
    // why: all formats of a report fail in the same way, except that their size limits differ
    const key = cacheKey(request, error.code === 'result_too_large' ? variant : '')
    failures.delete(key)
    const [oldest] = failures.keys()
    if (failures.size >= MAX_ENTRIES) failures.delete(oldest!)
    failures.set(key, { problem: error, untilMs: elapsed() + forMs })
  }

  return {
    check(request, variant) {
      for (const key of [cacheKey(request, ''), cacheKey(request, variant)]) {
        const failure = failures.get(key)
        if (failure && elapsed() < failure.untilMs) {
          observe({ kind: 'execution-spared', definition: request.definition.name })
          throw failure.problem
        }
        failures.delete(key)
      }
    },
    remember: (request, variant, error) =>
      add(request, variant, error, rememberedMs(error, request.definition.timeoutMs)),
    rememberBreak: (request, variant, error) => add(request, variant, error, MAX_REMEMBERED_MS),
  }
}

function rememberedMs(error: unknown, timeoutMs: Milliseconds): Milliseconds {
  const isTimeout = error instanceof Problem && error.code === 'report_timeout'
  return isTimeout
    ? Math.min(MAX_REMEMBERED_MS, Math.max(MIN_REMEMBERED_MS, timeoutMs))
    : MIN_REMEMBERED_MS
}
