/**
 * Log lines of requests, and the line about those of a minute. No line has a URL, a header or a key: observations do
 * not contain them.
 */
import type { IncomingMessage } from 'node:http'
import { createHmac, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import type { Level, Logger } from 'pino'
import proxyAddr from 'proxy-addr'
import type { Fact, Route } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
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
      values: selectionOf(fact.values),
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

const HASH_KEY = randomBytes(32)

/** Names of the parameters with a value, and a hash of the values. why: a value may name a person */
function selectionOf(values: RequestFact['values']): string | undefined {
  if (values === undefined) return undefined
  const set = [...values].filter(([, value]) => value !== null)
  if (set.length === 0) return undefined
  const hash = createHmac('sha256', HASH_KEY).update(JSON.stringify(set)).digest('base64url')
  return `${set.map(([name]) => name).join(',')} ${hash.slice(0, 12)}`
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

/** Proxies of some vendors append a port, and enclose IPv6 in brackets. */
const DECORATED = /\[([^\]]+)\](?::\d+)?|([\d.]+):\d+(?=[\s,]|$)/g
/** A server that listens on `::` gets addresses such as `::ffff:10.0.0.1`. */
const MAPPED = /^::ffff:(?=[\d.]+$)/i

/**
 * `X-Forwarded-For` is read from its end, as long as the address that appended an entry is trusted: clients can write
 * any entry before those. An entry that is no address ends it.
 *
 * why: `Forwarded` is ignored, since a proxy that appends one of the two headers passes the other one on unchanged
 * @param trusted addresses and networks of proxies, as `TRUST_PROXY`
 * @returns of the address of the connection and `X-Forwarded-For`
 */
export function createClientAddressOf(trusted: readonly string[]) {
  const isProxy = proxyAddr.compile([...trusted])
  return (peer: string | undefined, forwardedFor: string | string[] = '') => {
    if (peer === undefined) return
    if (forwardedFor === '') return peer.replace(MAPPED, '')
    const hops = String(forwardedFor).replaceAll(DECORATED, '$1$2')
    const request = { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': hops } }
    const addresses = proxyAddr.all(request as unknown as IncomingMessage, isProxy)
    return addresses.findLast(address => isIP(address) > 0)?.replace(MAPPED, '')
  }
}

const FROM_MICROSECONDS = 100
const TO_MICROSECONDS = 818_017_000

export function createRequestSummary(log: Logger, now: Clock) {
  const tallies = new Map<Route, ReturnType<typeof createTally>>()
  let since = now()
  return {
    count({ route, cache, problem, durationMs }: Fact<'request'>): void {
      let tally = tallies.get(route)
      if (tally === undefined) tallies.set(route, (tally = createTally()))
      const { counts, microseconds } = tally
      counts.requests += 1
      if (cache !== undefined) counts[cache] = (counts[cache] ?? 0) + 1
      if (problem !== undefined) counts.problems = (counts.problems ?? 0) + 1
      // why: Node's histogram throws if the value is not an integer in its range
      const limited = Math.min(Math.round(durationMs * 1000), TO_MICROSECONDS)
      microseconds.record(limited > FROM_MICROSECONDS ? limited : FROM_MICROSECONDS)
    },
    /** Writes the line unless there was no request, and begins at 0. */
    flush(): void {
      const seconds = Math.round((now() - since) / 1000)
      since = now()
      if (tallies.size === 0) return
      let requests = 0
      const routes: Partial<Record<Route, object>> = {}
      for (const [route, { counts, microseconds }] of tallies) {
        requests += counts.requests
        const [p50Ms, p99Ms] = [50, 99].map(
          part => Math.round(microseconds.percentile(part) / 100) / 10,
        )
        routes[route] = { ...counts, p50Ms, p99Ms }
      }
      log.info({ seconds, requests, routes }, `requests of ${seconds} s`)
      tallies.clear()
    },
  }
}

function createTally() {
  const counts: { requests: number; [cacheOrProblems: string]: number } = { requests: 0 }
  // Percentiles are at most 1 % too high.
  const microseconds = createHistogram({ lowest: 1, highest: TO_MICROSECONDS, figures: 2 })
  return { counts, microseconds }
}
