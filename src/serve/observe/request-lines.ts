/** Log lines of requests. No line has a URL, a header or a key: observations do not contain them. */
import { createHistogram } from 'node:perf_hooks'
import type { RecordableHistogram } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Observation, RequestOrigin, Route } from '../../model/observation.ts'
import { CACHE_OUTCOMES } from '../../model/terms.ts'
import type { CacheOutcome, Clock, Milliseconds } from '../../model/terms.ts'
import { createClientAddressOf } from './client-address.ts'
import type { ClientAddressOf } from './client-address.ts'
import { defectWithoutCode, errorIdentity } from './error-fields.ts'
import { createLineLimit } from './line-limit.ts'
import type { Level } from './line-limit.ts'

type RequestFact = Extract<Observation, { kind: 'request' }>

const SLOW_MS: Milliseconds = 1000

/** @see https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

interface RequestLines {
  observe(fact: RequestFact): void
  /** Lines of the request name the backend. */
  noteBackend(fact: Extract<Observation, { kind: 'connection-acquired' }>): void
  /** Writes the counts of requests and of omitted lines since the last flush. */
  flush(): void
}

export interface RequestLinesOptions {
  /** Default: no proxy is trusted. */
  readonly clientAddressOf?: ClientAddressOf
  readonly now: Clock
}

/**
 * A line for each miss, problem, slow or aborted request; all requests are counted. Lines of problems and aborts are
 * limited by code, reason and organization. At level `debug`: a line for each request, without a limit.
 */
export function createRequestLines(
  log: Logger,
  { clientAddressOf = createClientAddressOf([]), now }: RequestLinesOptions,
): RequestLines {
  const hasEachRequest = log.isLevelEnabled('debug')
  const tallies: Tallies = new Map()
  const limit = createLineLimit(log, now)
  let since = now()
  const backendPids = new WeakMap<RequestOrigin, number[]>()

  function fieldsOf(fact: RequestFact, slow: boolean): object {
    const { requestId, origin, peerAddress, forwardedFor, traceparent } = fact
    return {
      requestId,
      traceparent: TRACEPARENT.test(String(traceparent)) ? traceparent : undefined,
      clientAddress: clientAddressOf(peerAddress, forwardedFor),
      ...requestFields(fact, slow),
      backendPids: origin && backendPids.get(origin),
      ...faultFields(fact),
    }
  }

  function writeLimited(fact: RequestFact, level: Level, fields: () => object): void {
    const { organizationId, problem = 'aborted', refusal: reason } = fact
    const omitted = {
      level: levelOf(fact, false),
      fields: { organizationId, reason, problem },
      text: `requests: ${problem}`,
    }
    const text = textOf(fact)
    limit.write({ key: kindOf(fact), owner: organizationId, level, fields, text, omitted })
  }

  return {
    observe(fact) {
      const slow = fact.durationMs >= SLOW_MS
      const level = levelOf(fact, slow)
      countRequest(tallies, fact)
      if (level === 'debug' && !hasEachRequest) return
      // why: the database limits the rate of misses and slow requests; clients can cause problems and aborts freely
      const isLimited = !hasEachRequest && (fact.problem !== undefined || fact.aborted)
      if (isLimited) writeLimited(fact, level, () => fieldsOf(fact, slow))
      else log[level](fieldsOf(fact, slow), textOf(fact))
    },
    noteBackend({ origin, backendPid }) {
      if (origin === undefined || backendPid === undefined) return
      const known = backendPids.get(origin)
      if (known === undefined) backendPids.set(origin, [backendPid])
      else if (!known.includes(backendPid)) known.push(backendPid)
    },
    flush() {
      limit.flush()
      const seconds = Math.round((now() - since) / 1000)
      since = now()
      if (tallies.size > 0) log.info({ seconds, ...summaryOf(tallies) }, `requests of ${seconds} s`)
      tallies.clear()
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

function levelOf(fact: RequestFact, slow: boolean): Level {
  const { status, cache, aborted, refusal } = fact
  if (status >= 500) return 'error'
  if (slow || isFault(fact) || refusal !== undefined) return 'warn'
  return cache === 'miss' || status >= 400 || aborted ? 'info' : 'debug'
}

function requestFields(fact: RequestFact, slow: boolean): object {
  return {
    organizationId: fact.organizationId,
    method: fact.method,
    route: fact.route,
    report: fact.report,
    status: fact.status,
    problem: fact.problem,
    reason: fact.refusal,
    ...refusalFieldsOf(fact),
    cache: fact.cache,
    format: fact.format,
    durationMs: fact.durationMs,
    sentBytes: fact.sentBytes,
    ...(slow && { slow }),
    ...(fact.aborted && { aborted: true }),
  }
}

function faultFields(fact: RequestFact): object {
  const { cause, problem } = fact
  if (!isFault(fact) || cause === undefined) return {}
  return { err: problem === 'internal_error' ? defectWithoutCode(cause) : cause }
}

/** The refusal's message, with the organization's executing and waiting requests, and `Retry-After`. */
function refusalFieldsOf({ refusal, cause, retryAfterSeconds }: RequestFact): object {
  if (refusal === undefined) return {}
  return { refusal: cause instanceof Error ? cause.message : undefined, retryAfterSeconds }
}

/** A fault of the gateway, possibly after status 200 was sent. A refusal is no fault, and has no stack. */
function isFault({ status, aborted, problem, refusal }: RequestFact): boolean {
  return refusal === undefined && (status >= 500 || (aborted && problem !== undefined))
}

function textOf({ method, route, report, status, problem, cache }: RequestFact): string {
  const words = [method, route, report, status, problem ?? cache]
  return words.filter(word => word !== undefined).join(' ')
}

const FROM_MICROSECONDS = 100
const TO_MICROSECONDS = 818_017_000

/** Requests of a route since the last summary. */
interface Tally {
  requests: number
  problems: number
  readonly byCache: Record<CacheOutcome, number>
  readonly microseconds: RecordableHistogram
}

type Tallies = Map<Route, Tally>

function countRequest(tallies: Tallies, { route, cache, problem, durationMs }: RequestFact): void {
  let tally = tallies.get(route)
  if (tally === undefined) tallies.set(route, (tally = createTally()))
  tally.requests += 1
  if (problem !== undefined) tally.problems += 1
  if (cache !== undefined) tally.byCache[cache] += 1
  tally.microseconds.record(microsecondsOf(durationMs))
}

function createTally(): Tally {
  return {
    requests: 0,
    problems: 0,
    byCache: { hit: 0, miss: 0, collapsed: 0, stale: 0 },
    // Percentiles are at most 1 % too high.
    microseconds: createHistogram({ lowest: 1, highest: TO_MICROSECONDS, figures: 2 }),
  }
}

/** Node's histogram throws if the value is not an integer in its range. */
function microsecondsOf(durationMs: Milliseconds): number {
  const microseconds = Math.min(Math.round(durationMs * 1000), TO_MICROSECONDS)
  return microseconds > FROM_MICROSECONDS ? microseconds : FROM_MICROSECONDS
}

function summaryOf(tallies: Tallies): object {
  const entries = [...tallies]
  return {
    requests: entries.reduce((sum, [, { requests }]) => sum + requests, 0),
    routes: Object.fromEntries(entries.map(([route, tally]) => [route, routeSummaryOf(tally)])),
  }
}

function routeSummaryOf({ requests, problems, byCache, microseconds }: Tally): object {
  const outcomes = CACHE_OUTCOMES.map(outcome => [outcome, byCache[outcome]] as const)
  return {
    requests,
    ...Object.fromEntries(outcomes.filter(([, count]) => count > 0)),
    ...(problems > 0 && { problems }),
    p50Ms: round(microseconds.percentile(50) / 1000),
    p99Ms: round(microseconds.percentile(99) / 1000),
  }
}

function round(ms: Milliseconds): Milliseconds {
  return ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)
}
