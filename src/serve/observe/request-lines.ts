/** Log lines of requests. No line has a URL, a header or a key: observations do not contain them. */
import type { Logger } from 'pino'
import type { Fact } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createClientAddressOf } from './client-address.ts'
import { defectWithoutCode, errorIdentity } from './error-fields.ts'
import { createLineLimit } from './line-limit.ts'
import type { Level } from './line-limit.ts'
import { createRequestSummary } from './request-summary.ts'

type RequestFact = Fact<'request'>

const SLOW_MS: Milliseconds = 1000

/** @see https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/**
 * A line for each miss, problem, slow or aborted request; all requests are counted. Lines of problems and aborts are
 * limited by code, reason and organization. At level `debug`: a line for each request, without a limit.
 */
export function createRequestLines(log: Logger, trustProxy: readonly string[], now: Clock) {
  const clientAddressOf = createClientAddressOf(trustProxy)
  const hasEachRequest = log.isLevelEnabled('debug')
  const limit = createLineLimit(log, now)
  const summary = createRequestSummary(log, now)

  function fieldsOf(fact: RequestFact, isSlow: boolean): object {
    const { requestId, organizationId, method, route, report, status, problem } = fact
    const { origin, traceparent, refusal, cause, cache, format, sentBytes } = fact
    return {
      requestId,
      traceparent: TRACEPARENT.test(String(traceparent)) ? traceparent : undefined,
      clientAddress: clientAddressOf(fact.peerAddress, fact.forwardedFor),
      organizationId,
      method,
      route,
      report,
      status,
      problem,
      reason: refusal,
      refusal: refusal && cause instanceof Error ? cause.message : undefined,
      retryAfterSeconds: refusal && fact.retryAfterSeconds,
      cache,
      format,
      durationMs: roundMs(fact.durationMs),
      sentBytes,
      slow: isSlow || undefined,
      aborted: fact.aborted || undefined,
      backendPids: origin?.backendPids,
      err: isFault(fact) ? errorOf(fact) : undefined,
    }
  }

  return {
    observe(fact: RequestFact): void {
      const { problem, organizationId, refusal: reason } = fact
      const isSlow = fact.durationMs >= SLOW_MS
      const level = levelOf(fact, isSlow)
      summary.count(fact)
      if (level === 'debug' && !hasEachRequest) return
      // why: the database limits the rate of misses and slow requests; clients can cause problems and aborts freely
      if (hasEachRequest || (problem === undefined && !fact.aborted))
        return log[level](fieldsOf(fact, isSlow), textOf(fact))
      const about = { organizationId, reason, problem }
      const fields = (): object => fieldsOf(fact, isSlow)
      const [owner, key, text] = [organizationId ?? '', kindOf(fact), textOf(fact)]
      limit.write({ owner, key, level, text, about, fields })
    },
    /** Lines of the request name the backend. */
    noteBackend({ origin, backendPid }: Fact<'connection-acquired'>): void {
      if (origin === undefined || backendPid === undefined) return
      origin.backendPids ??= []
      if (!origin.backendPids.includes(backendPid)) origin.backendPids.push(backendPid)
    },
    /** Writes the counts of requests and of omitted lines since the last flush. */
    flush(): void {
      limit.flush()
      summary.flush()
    },
  }
}

/** Problems of the same kind are similar for the limit of lines. */
function kindOf({ problem, report, refusal, cause }: RequestFact): string {
  // why: reasons of one problem code have different remedies, for example backlog and number of requests
  if (refusal !== undefined) return `${problem} ${refusal}`
  // why: these are faults of one report
  if (problem === 'internal_error') return `${problem} ${report} ${errorIdentity(cause)}`
  return problem === 'report_timeout' ? `${problem} ${report}` : (problem ?? 'aborted')
}

function levelOf(fact: RequestFact, isSlow: boolean): Level {
  const { status, cache, aborted, refusal } = fact
  if (status >= 500) return 'error'
  if (isSlow || isFault(fact) || refusal !== undefined) return 'warn'
  return cache === 'miss' || status >= 400 || aborted ? 'info' : 'debug'
}

/** A fault of the gateway, possibly after status 200 was sent. A refusal is no fault, and has no stack. */
function isFault({ status, aborted, problem, refusal }: RequestFact): boolean {
  return refusal === undefined && (status >= 500 || (aborted && problem !== undefined))
}

function errorOf({ cause, problem }: RequestFact): unknown {
  return problem === 'internal_error' ? defectWithoutCode(cause) : cause
}

function textOf({ method, route, report, status, problem, cache }: RequestFact): string {
  const words = [method, route, report, status, problem ?? cache]
  return words.filter(word => word !== undefined).join(' ')
}

/** Rounds to a tenth of a millisecond. */
export function roundMs(ms: Milliseconds): Milliseconds {
  return Math.round(ms * 10) / 10
}
