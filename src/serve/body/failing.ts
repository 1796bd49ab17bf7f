/**
 * Reports that have just failed by their own doing: asked again within seconds they fail again, and take
 * a connection each time. So the same answer is given for a while without a run, to `no-cache` too.
 */
import { Problem } from '../../model/errors.ts'
import type { ProblemCode } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { cacheKey } from './report-request.ts'
import type { ReportRequest } from './report-request.ts'

export interface Failing {
  /**
   * @param shape what else an answer may be too large for: its format
   * @param signal the request's: once it is aborted, what fails is not the report's fault
   * @param load calls back where it fails after it has answered: a stream that breaks
   * @throws what `load` throws, or threw a moment ago for the same organization, definition and period.
   */
  unlessFailing<T>(
    request: ReportRequest,
    shape: string,
    signal: AbortSignal,
    load: (failedLater: (error: unknown) => void) => Promise<T>,
  ): Promise<T>
}

const OWN_DOING: ReadonlySet<ProblemCode> = new Set([
  'report_timeout',
  'result_too_large',
  'internal_error',
])

const SHORTEST_MS: Milliseconds = 5000
/** One that ran out of its time is left alone for as long again, one that broke under its reader for so long. */
const LONGEST_MS: Milliseconds = 30_000
/** Some 500 bytes each. */
const MOST = 1000

interface Keys {
  readonly ofAll: string
  readonly ofShape: string
}

/** @param options.elapsed never set back or forth; only differences count */
export function createFailing(options: {
  readonly observe: Observe
  readonly elapsed: Clock
}): Failing {
  const { observe, elapsed } = options
  /** The one that failed longest ago first. */
  const failed = new Map<string, { readonly problem: Problem; readonly until: Milliseconds }>()

  function remember(error: unknown, keys: Keys, leaveMs: Milliseconds): void {
    if (!(error instanceof Problem && OWN_DOING.has(error.code))) return
    const key = error.code === 'result_too_large' ? keys.ofShape : keys.ofAll
    failed.delete(key)
    const [oldest] = failed.keys()
    if (failed.size >= MOST) failed.delete(oldest!)
    failed.set(key, { problem: error, until: elapsed() + leaveMs })
  }

  return {
    async unlessFailing(request, shape, signal, load) {
      // why: formats of one answer fail alike, but not all have as much room
      const keys = { ofAll: cacheKey(request, ''), ofShape: cacheKey(request, shape) }
      for (const key of [keys.ofAll, keys.ofShape]) {
        const known = failed.get(key)
        if (known && elapsed() < known.until) {
          observe({ kind: 'run-spared', definition: request.definition.name })
          throw known.problem
        }
        failed.delete(key)
      }
      try {
        // why: who saw a download break asks again later than who was told at once
        return await load(error => remember(error, keys, LONGEST_MS))
      } catch (error) {
        if (!signal.aborted) remember(error, keys, leaveMsOf(error, request.definition.timeoutMs))
        throw error
      }
    },
  }
}

function leaveMsOf(error: unknown, timeoutMs: Milliseconds): Milliseconds {
  const isLate = error instanceof Problem && error.code === 'report_timeout'
  return isLate ? Math.min(LONGEST_MS, Math.max(SHORTEST_MS, timeoutMs)) : SHORTEST_MS
}
