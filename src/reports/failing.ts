/**
 * Reports that have just failed by their own doing: asked again within seconds they fail again, and take
 * a connection each time. So the same answer is given for a while without a run, to `no-cache` too.
 */
import { Problem } from '../errors.ts'
import type { ProblemCode } from '../errors.ts'
import type { Observe } from '../observation.ts'
import type { Clock, Milliseconds } from '../terms.ts'
import { cacheKey } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'

export interface Failing {
  /**
   * @param shape what else an answer may be too large for: its format
   * @throws what `load` throws, or threw a moment ago for the same organization, definition and period.
   */
  unlessFailing<T>(request: ReportRequest, shape: string, load: () => Promise<T>): Promise<T>
}

const OWN_DOING: ReadonlySet<ProblemCode> = new Set([
  'report_timeout',
  'result_too_large',
  'internal_error',
])

const SHORTEST_MS: Milliseconds = 5000
/** One that ran out of its time is left alone for as long again. */
const LONGEST_MS: Milliseconds = 30_000
/** Some 500 bytes each. */
const MOST = 1000

/** @param options.elapsed never set back or forth; only differences count */
export function createFailing(options: {
  readonly observe: Observe
  readonly elapsed: Clock
}): Failing {
  const { observe, elapsed } = options
  /** The one that failed longest ago first. */
  const failed = new Map<string, { readonly problem: Problem; readonly until: Milliseconds }>()

  function remember(key: string, problem: Problem, timeoutMs: Milliseconds): void {
    const leaveMs =
      problem.code === 'report_timeout' ? Math.max(SHORTEST_MS, timeoutMs) : SHORTEST_MS
    failed.delete(key)
    const [oldest] = failed.keys()
    if (failed.size >= MOST) failed.delete(oldest!)
    failed.set(key, { problem, until: elapsed() + Math.min(LONGEST_MS, leaveMs) })
  }

  return {
    async unlessFailing(request, shape, load) {
      // why: formats of one answer fail alike, but not all have as much room
      const ofAll = cacheKey(request, '')
      const ofShape = cacheKey(request, shape)
      for (const key of [ofAll, ofShape]) {
        const known = failed.get(key)
        if (known && elapsed() < known.until) {
          observe({ kind: 'run-spared', definition: request.definition.name })
          throw known.problem
        }
        failed.delete(key)
      }
      try {
        return await load()
      } catch (error) {
        if (error instanceof Problem && OWN_DOING.has(error.code)) {
          const key = error.code === 'result_too_large' ? ofShape : ofAll
          remember(key, error, request.definition.timeoutMs)
        }
        throw error
      }
    },
  }
}
