/** One execution on one server: takes a connection, executes, and gives it back once it is idle. Knows pg. */
import { Problem, type ProblemCode } from '../../model/errors.ts'
import type { ExecutionOutcome, PlanKind } from '../../model/observation.ts'
import type { Stop } from '../../model/stop.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { Slot } from './admission-request.ts'
import { classifyError } from './classify-error.ts'
import { connect } from './connection.ts'
import type { DatabaseClient } from './database-client.ts'
import { executeOn } from './execution.ts'
import type { Field, ResultHead, ResultReader } from './result-reader.ts'
import type { ReportServer } from './report-server.ts'
import { command } from './statement-bytes.ts'
import { ReaderFullError, type StatementRequest } from './statement-request.ts'

/** @see https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-PLAN-CACHE-MODE */
const SHARED_PLAN = command('set local plan_cache_mode = force_generic_plan')

/** `client_connection_check_interval` of its session: so soon the server notices that it was closed. */
const ABORT_MS: Milliseconds = 500

/** What an attempt executes, and for whom. */
interface AttemptOptions<R extends ResultReader> {
  readonly request: StatementRequest
  /** What is left of the definition's. */
  readonly timeoutMs: Milliseconds
  /** Released once the server executes nothing more for it. */
  readonly slot: Pick<Slot<unknown>, 'queueMs' | 'release'>
  readonly stop: Stop
  readonly begin: (head: ResultHead) => R
}

/** The reader, with the result. @throws what pg, the transport or the reader reported; the reason of the stop */
export async function attempt<R extends ResultReader>(
  server: ReportServer,
  { request, timeoutMs, slot, stop, begin }: AttemptOptions<R>,
): Promise<R> {
  const { now, observe, plans } = server
  const { name: definition, preparedName: name, origin, values, maxLagMs } = request
  const startedAt = now()
  let client: DatabaseClient | undefined
  let plan: PlanKind = 'own'
  let executionMs: Milliseconds | undefined
  let resultAfterMs: Milliseconds | undefined
  let reader: R | undefined
  let failure: { readonly reason: unknown } | undefined
  try {
    try {
      client = await connect(server.pool, stop)
      const { backendPid } = client
      const executedFrom = now()
      const durationMs = executedFrom - startedAt
      observe({ kind: 'connection-acquired', pool: 'reports', durationMs, origin, backendPid })
      const before = server.guardsFor(client, maxLagMs)
      // why: behind a pooler no statement is prepared, and no plan shared
      if (!client.server.isPooled) plan = plans.planFor(request)
      if (plan === 'shared') before.push(SHARED_PLAN)
      // why: what is probed while the statement executes may be newer than its snapshot
      const dataAsOf = server.stateFor(client)?.dataAsOf
      const text = origin === undefined ? request.text : request.commentedText
      const statement = { text, values, name, isReadOnly: true, before, timeoutMs }
      const onResult = (fields: readonly Field[]): R => {
        resultAfterMs = now() - startedAt
        return (reader = begin({ fields, dataAsOf }))
      }
      await executeOn(client, statement, onResult, stop)
      executionMs = now() - executedFrom
    } finally {
      plans.ended(request, plan, executionMs)
      client?.giveBack()
      // why: so long the server may execute it, and its connection counts there
      if (client?.isAborted === true) setTimeout(() => slot.release(), ABORT_MS).unref()
      else slot.release()
    }
    const ending = reader!.end()
    if (ending !== undefined) await ending
    return reader!
  } catch (reason) {
    failure = { reason }
    throw reason
  } finally {
    // why: after a stop the client has either disconnected or received a problem, such as an unavailable server
    const isCancelled = stop.reason !== undefined && !(stop.reason instanceof Problem)
    const problem = failure && !isCancelled ? classifyError(failure.reason) : undefined
    observe({
      kind: 'execution',
      origin,
      backendPid: client?.backendPid,
      definition,
      outcome: failure === undefined ? 'ok' : outcomeOf(problem),
      plan,
      queueMs: slot.queueMs,
      durationMs: now() - startedAt,
      resultAfterMs,
      rowCount: reader?.rowCount ?? 0,
      error: problem?.cause ?? failure?.reason,
    })
  }
}

const OUTCOMES: Readonly<Partial<Record<ProblemCode, ExecutionOutcome>>> = {
  result_too_large: 'too_large',
  report_timeout: 'timeout',
  replica_unavailable: 'unavailable',
  rate_limited: 'refused',
  overloaded: 'queue_timeout',
}

/** @param problem undefined if it was cancelled */
export function outcomeOf(problem: Problem | undefined): ExecutionOutcome {
  if (problem === undefined) return 'cancelled'
  return problem.cause instanceof ReaderFullError
    ? 'spool_full'
    : (OUTCOMES[problem.code] ?? 'error')
}
