/**
 * Reports that have just failed by their own fault: requested again within seconds they fail again, and take
 * a connection each time. So the same problem is the response for a while without an execution, to `no-cache` too.
 */
import { Problem } from '../../model/errors.ts'
import type { ProblemCode } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { cacheKey } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'

/** @param variant what else a response may be too large for: its format */
export interface NegativeCache {
  /** @throws Problem that the same organization, definition and period has met a moment ago. */
  check(request: ReportRequest, variant: string): void
  /** Remembers a Problem that is the report's own fault, and nothing else. */
  remember(request: ReportRequest, variant: string, error: unknown): void
  /** The same of a stream that broke under its reader. */
  rememberBreak(request: ReportRequest, variant: string, error: unknown): void
}

const OWN_FAULT: ReadonlySet<ProblemCode> = new Set([
  'report_timeout',
  'result_too_large',
  'internal_error',
])

const MIN_REMEMBERED_MS: Milliseconds = 5000
/** One that ran out of its time is left alone for as long again, one that broke under its reader for so long. */
const MAX_REMEMBERED_MS: Milliseconds = 30_000
/** Some 500 bytes each. */
const MAX_ENTRIES = 1000

/** @param options.elapsed never set back or forth; only differences count */
export function createNegativeCache(options: {
  readonly observe: Observe
  readonly elapsed: Clock
}): NegativeCache {
  const { observe, elapsed } = options
  /** The one that failed longest ago first. */
  const failed = new Map<string, { readonly problem: Problem; readonly until: Milliseconds }>()

  function add(request: ReportRequest, variant: string, error: unknown, forMs: Milliseconds): void {
    if (!(error instanceof Problem && OWN_FAULT.has(error.code))) return
    // why: formats of one report fail alike, but not all can hold as much
    const key = cacheKey(request, error.code === 'result_too_large' ? variant : '')
    failed.delete(key)
    const [oldest] = failed.keys()
    if (failed.size >= MAX_ENTRIES) failed.delete(oldest!)
    failed.set(key, { problem: error, until: elapsed() + forMs })
  }

  return {
    check(request, variant) {
      for (const key of [cacheKey(request, ''), cacheKey(request, variant)]) {
        const known = failed.get(key)
        if (known && elapsed() < known.until) {
          observe({ kind: 'run-spared', definition: request.definition.name })
          throw known.problem
        }
        failed.delete(key)
      }
    },
    remember: (request, variant, error) =>
      add(request, variant, error, rememberedMs(error, request.definition.timeoutMs)),
    rememberBreak: (request, variant, error) => add(request, variant, error, MAX_REMEMBERED_MS),
  }
}

function rememberedMs(error: unknown, timeoutMs: Milliseconds): Milliseconds {
  const isLate = error instanceof Problem && error.code === 'report_timeout'
  return isLate
    ? Math.min(MAX_REMEMBERED_MS, Math.max(MIN_REMEMBERED_MS, timeoutMs))
    : MIN_REMEMBERED_MS
}
