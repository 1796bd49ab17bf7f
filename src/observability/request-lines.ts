/** Which requests get a line of their own. No line has a URL, a header or a key: the facts have none. */
import type { Logger } from 'pino'
import type { ProblemCode } from '../errors.ts'
import type { Observation } from '../observation.ts'
import type { Clock, Milliseconds } from '../terms.ts'
import { createRepeats } from './repeats.ts'
import { createRequestSummary } from './request-summary.ts'
import { identityOf } from './write-once.ts'

type RequestFact = Extract<Observation, { kind: 'request' }>

type Note = ReturnType<ReturnType<typeof createRepeats>['note']>

const ALWAYS: Note = { write: true, omitted: 0 }

/** One poller with a bad key, a database that is away or a grant that is gone would fill the log: one line in 30 s. */
const COMES_IN_FLOODS: ReadonlySet<ProblemCode> = new Set([
  'api_key_required',
  'api_key_invalid',
  'module_locked',
  'access_unavailable',
  'replica_unavailable',
  'overloaded',
  'internal_error',
])

export interface RequestLines {
  observe(fact: RequestFact): void
  /** Writes what was counted since the last time, if anything was. */
  summarize(): void
}

export interface RequestLinesOptions {
  readonly log: Logger
  readonly requests: 'summary' | 'all'
  readonly slowRequestMs: Milliseconds
  readonly now: Clock
}

/** `summary`: a line for misses, problems, slow and aborted requests; all are counted. `all`: a line each. */
export function createRequestLines(options: RequestLinesOptions): RequestLines {
  const { log, requests, slowRequestMs, now } = options
  const summary = createRequestSummary()
  const repeats = createRepeats(now)
  let since = now()

  function noteProblem({ problem, organizationId = '', report, cause }: RequestFact): Note {
    if (problem === undefined || !COMES_IN_FLOODS.has(problem)) return ALWAYS
    // why: one report may fail in two ways, and another in its own
    const fault = problem === 'internal_error' ? `${report} ${identityOf(cause)}` : ''
    return repeats.note(`${problem} ${organizationId} ${fault}`)
  }

  return {
    observe(fact) {
      const slow = fact.durationMs >= slowRequestMs
      if (requests === 'summary') summary.count(fact)
      if (requests === 'summary' && !slow && !isNotable(fact)) return
      const { write, omitted } = requests === 'all' ? ALWAYS : noteProblem(fact)
      if (!write) return
      const fields = { ...fieldsOf(fact, slow), ...(omitted > 0 && { omitted }) }
      log[levelOf(fact, slow)](fields, wordsOf(fact))
    },
    summarize() {
      const counted = summary.take()
      const seconds = Math.round((now() - since) / 1000)
      since = now()
      if (counted !== undefined) log.info({ seconds, ...counted }, `requests of ${seconds} s`)
    },
  }
}

function isNotable({ cache, status, aborted }: RequestFact): boolean {
  return cache === 'miss' || status >= 400 || aborted
}

function levelOf(fact: RequestFact, slow: boolean): 'error' | 'warn' | 'info' {
  if (fact.status >= 500) return 'error'
  return slow || isFault(fact) ? 'warn' : 'info'
}

function fieldsOf(fact: RequestFact, slow: boolean): Record<string, unknown> {
  return {
    requestId: fact.requestId,
    organizationId: fact.organizationId,
    method: fact.method,
    route: fact.route,
    report: fact.report,
    status: fact.status,
    problem: fact.problem,
    cache: fact.cache,
    format: fact.format,
    durationMs: fact.durationMs,
    sentBytes: fact.sentBytes,
    ...(slow && { slow }),
    ...(fact.aborted && { aborted: true }),
    ...(isFault(fact) && fact.cause !== undefined && { err: fact.cause }),
  }
}

/** Not of the client's; an answer of 200 may have broken off for it. */
function isFault({ status, aborted, problem }: RequestFact): boolean {
  return status >= 500 || (aborted && problem !== undefined)
}

function wordsOf({ method, route, report, status, problem, cache }: RequestFact): string {
  const words = [method, route, report, status, problem ?? cache]
  return words.filter(word => word !== undefined).join(' ')
}
