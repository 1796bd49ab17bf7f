/** Log lines of requests. No line has a URL, a header or a key: observations do not contain them. */
import type { Level, Logger } from 'pino'
import type { Fact } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { createClientAddressOf } from './client-address.ts'
import { markDefectWithoutCode, errorIdentity } from './error-fields.ts'
import type { LineLimit } from './line-limit.ts'

type RequestFact = Fact<'request'>

const SLOW_MS: Milliseconds = 1000

/** @see https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/**
 * A line for each miss, problem, slow or aborted request. Lines of problems and aborts are
 * limited by code, reason and organization. At level `debug`: a line for each request, without a limit.
 */
export function createRequestLines(log: Logger, limit: LineLimit, trustProxy: readonly string[]) {
  const clientAddressOf = createClientAddressOf(trustProxy)

  // why: a copy of all fields costs a cold report 2 % of its CPU
  function fieldsOf(fact: RequestFact): object {
    const { requestId, organizationId, method, route, report, status, problem, cause } = fact
    const { traceparent, refusal, cache, format, durationMs, sentBytes, aborted } = fact
    if (problem === 'internal_error') markDefectWithoutCode(cause)
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
      retryAfterSeconds: fact.retryAfterSeconds,
      cache,
      format,
      durationMs,
      sentBytes,
      slow: durationMs >= SLOW_MS || undefined,
      aborted: aborted || undefined,
      backendPids: fact.origin?.backendPids,
      err: isFault(fact) ? cause : undefined,
    }
  }

  return (fact: RequestFact): void => {
    const { problem, organizationId, refusal: reason } = fact
    const level = levelOf(fact)
    if (!log.isLevelEnabled(level)) return
    // why: the database limits the rate of misses and slow requests; clients can cause problems and aborts freely
    const isLimited = problem !== undefined || fact.aborted
    if (!isLimited || log.isLevelEnabled('debug')) return log[level](fieldsOf(fact), textOf(fact))
    const about = { organizationId, reason, problem }
    const fields = (): object => fieldsOf(fact)
    limit.write({ key: similarityOf(fact), level, text: textOf(fact), about, fields })
  }
}

/** Equal for lines that are similar for the limit. */
function similarityOf({ organizationId, problem, report, refusal, cause }: RequestFact): string {
  // why: reasons of one problem code have different remedies, for example backlog and number of requests
  const similarity = [organizationId, problem ?? 'aborted', refusal]
  // why: these are faults of one report
  if (problem === 'internal_error' || problem === 'report_timeout')
    similarity.push(report, errorIdentity(cause))
  return similarity.join(' ')
}

function levelOf(fact: RequestFact): Level {
  const { status, cache, aborted, refusal, durationMs } = fact
  if (status >= 500) return 'error'
  if (durationMs >= SLOW_MS || isFault(fact) || refusal !== undefined) return 'warn'
  return cache === 'miss' || status >= 400 || aborted ? 'info' : 'debug'
}

/** A fault of the gateway, possibly after status 200 was sent. A refusal is no fault, and has no stack. */
function isFault({ status, aborted, problem, refusal }: RequestFact): boolean {
  return refusal === undefined && (status >= 500 || (aborted && problem !== undefined))
}

function textOf({ method, route, report, status, problem, cache }: RequestFact): string {
  const words = [method, route, report, status, problem ?? cache]
  return words.filter(word => word !== undefined).join(' ')
}
