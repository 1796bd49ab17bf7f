/** Which requests get a line of their own. No line has a URL, a header or a key: the facts have none. */
import type { Logger } from 'pino'
import type { Observation } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createRepeats } from './repeats.ts'
import { createRequestSummary } from './request-summary.ts'
import { identityOf } from './write-once.ts'

type RequestFact = Extract<Observation, { kind: 'request' }>

type Note = ReturnType<ReturnType<typeof createRepeats>['note']>

/** What lines that are limited together have in common. */
interface Subject {
  readonly level: Level
  readonly organizationId: string | undefined
  readonly problem: string
  readonly reason: string | undefined
}

type Level = 'error' | 'warn' | 'info'

const ALWAYS: Note = { write: true, omitted: 0 }

export interface RequestLines {
  observe(fact: RequestFact): void
  /** Writes what was counted and what was left out since the last time, if anything was. */
  summarize(): void
}

export interface RequestLinesOptions {
  readonly log: Logger
  readonly requests: 'summary' | 'all'
  readonly slowRequestMs: Milliseconds
  readonly now: Clock
}

/**
 * `summary`: a line for misses, problems, slow and aborted requests; all are counted. Problems and aborts
 * are limited by code, reason and organization. `all`: a line each.
 */
export function createRequestLines(options: RequestLinesOptions): RequestLines {
  const { log, requests, slowRequestMs, now } = options
  const summary = createRequestSummary()
  const repeats = createRepeats<Subject>(now, (omitted, subject) => {
    const { level = 'warn', problem = 'several problems', ...common } = subject ?? {}
    log[level]({ ...common, problem, omitted }, `${omitted} more requests: ${problem}`)
  })
  let since = now()

  /** Misses and slow requests are bounded by the database; any client can make problems and aborts in floods. */
  function noteLine(fact: RequestFact): Note {
    if (fact.problem === undefined && !fact.aborted) return ALWAYS
    const { organizationId, problem = 'aborted', refusal: reason } = fact
    const subject = { level: levelOf(fact, false), organizationId, problem, reason }
    return repeats.note({ key: kindOf(fact), owner: organizationId, subject })
  }

  return {
    observe(fact) {
      const slow = fact.durationMs >= slowRequestMs
      if (requests === 'summary') summary.count(fact)
      if (requests === 'summary' && !slow && !isNotable(fact)) return
      const { write, omitted } = requests === 'all' ? ALWAYS : noteLine(fact)
      if (!write) return
      const fields = { ...fieldsOf(fact, slow), ...(omitted > 0 && { omitted }) }
      log[levelOf(fact, slow)](fields, wordsOf(fact))
    },
    summarize() {
      repeats.flush()
      const counted = summary.take()
      const seconds = Math.round((now() - since) / 1000)
      since = now()
      if (counted !== undefined) log.info({ seconds, ...counted }, `requests of ${seconds} s`)
    },
  }
}

/** Two problems of one kind are alike to an engineer who reads the log. */
function kindOf({ problem, report, refusal, cause }: RequestFact): string {
  // why: an organization may be over its budget and have too many requests, which has another remedy
  if (refusal !== undefined) return `${problem} ${refusal}`
  // why: these are faults of one report, and another report has faults of its own
  if (problem === 'internal_error') return `${problem} ${report} ${identityOf(cause)}`
  return problem === 'report_timeout' ? `${problem} ${report}` : (problem ?? 'aborted')
}

function isNotable({ cache, status, aborted }: RequestFact): boolean {
  return cache === 'miss' || status >= 400 || aborted
}

function levelOf(fact: RequestFact, slow: boolean): Level {
  if (fact.status >= 500) return 'error'
  return slow || isFault(fact) || fact.refusal !== undefined ? 'warn' : 'info'
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
    reason: fact.refusal,
    ...refusalFieldsOf(fact),
    cache: fact.cache,
    format: fact.format,
    durationMs: fact.durationMs,
    sentBytes: fact.sentBytes,
    ...(slow && { slow }),
    ...(fact.aborted && { aborted: true }),
    ...(isFault(fact) && fact.cause !== undefined && { err: fact.cause }),
  }
}

/** What the organization had executing and waiting, in words. */
function refusalFieldsOf({ refusal, cause, retryAfterSeconds }: RequestFact): object {
  if (refusal === undefined) return {}
  return { refusal: cause instanceof Error ? cause.message : undefined, retryAfterSeconds }
}

/** Not of the client's; an answer of 200 may have broken off for it. A refusal is made by rule, and has no stack. */
function isFault({ status, aborted, problem, refusal }: RequestFact): boolean {
  return refusal === undefined && (status >= 500 || (aborted && problem !== undefined))
}

function wordsOf({ method, route, report, status, problem, cache }: RequestFact): string {
  const words = [method, route, report, status, problem ?? cache]
  return words.filter(word => word !== undefined).join(' ')
}
