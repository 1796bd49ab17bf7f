/** One execution on one server: takes a client, executes, and gives it back once it is idle. Knows pg. */
import { Problem } from '../../model/errors.ts'
import type { ProblemCode } from '../../model/errors.ts'
import type { ExecutionOutcome, PlanKind } from '../../model/observation.ts'
import type { Stop } from '../../model/stop.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { classifyError, transportError } from './classify-error.ts'
import { Execution } from './execution.ts'
import type { ExecutionOwner, Failure } from './execution.ts'
import type { Field, ResultHead, ResultReader } from './result-reader.ts'
import type { ReportServer } from './report-server.ts'
import type { DatabaseClient } from './database-client.ts'
import { command } from './statement-bytes.ts'
import { ReaderFullError } from './statement-request.ts'
import type { StatementRequest } from './statement-request.ts'

/** @see https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-PLAN-CACHE-MODE */
const SHARED_PLAN = command('set local plan_cache_mode = force_generic_plan')

export class Attempt<R extends ResultReader> implements ExecutionOwner<R> {
  readonly startedAt: Milliseconds
  /** Defined once a connection was acquired. */
  client: DatabaseClient | undefined
  private readonly server: ReportServer
  private readonly request: StatementRequest
  private readonly timeoutMs: Milliseconds
  private readonly queueMs: Milliseconds
  private readonly beginResult: (head: ResultHead) => R
  private readonly onReleased: () => void
  private execution: Execution<R> | undefined
  private executedFrom: Milliseconds = 0
  private resultAfterMs: Milliseconds | undefined
  private dataAsOf: ResultHead['dataAsOf']
  private backendPid: number | undefined
  private plan: PlanKind = 'own'
  private failure: Failure | undefined
  private settle!: (failure: Failure | undefined) => void

  /**
   * @param timeoutMs what is left of that of the request
   * @param queueMs time that it waited for its slot
   * @param onReleased called once, when the session is given back or there is none
   */
  constructor(
    server: ReportServer,
    request: StatementRequest,
    timeoutMs: Milliseconds,
    queueMs: Milliseconds,
    beginResult: (head: ResultHead) => R,
    onReleased: () => void,
  ) {
    this.server = server
    this.request = request
    this.timeoutMs = timeoutMs
    this.queueMs = queueMs
    this.beginResult = beginResult
    this.onReleased = onReleased
    this.startedAt = server.now()
  }

  /** Whether the server has begun to send the result. */
  hasBegun(): boolean {
    return this.execution?.reader !== undefined
  }

  /** Ends it with this reason. */
  readonly end = (reason: unknown): void => {
    if (this.execution !== undefined) this.execution.stop(reason)
    else if (this.failure === undefined) {
      this.onEnd({ reason })
      this.onReleased()
    }
  }

  /** @throws what pg, the transport or the reader reported; the reason of the stop or of `end` */
  run(stop: Stop): Promise<R> {
    return new Promise((resolve, reject) => {
      let remove: (() => void) | undefined
      this.settle = failure => {
        remove?.()
        this.report(stop)
        if (failure === undefined) resolve(this.execution!.reader!)
        else reject(failure.reason)
      }
      // why: it may have been stopped between its admission and now
      remove = stop.onStop(this.end)
      if (this.failure === undefined) this.server.pool.connect(this.connected)
    })
  }

  private readonly connected = (error: unknown, client: DatabaseClient | undefined): void => {
    // why: a connection that is made after the end is for others
    if (this.failure !== undefined) return client?.release()
    if (client === undefined) return this.end(transportError(error))
    this.client = client
    try {
      this.execute(client)
    } catch (reason) {
      this.onEnd({ reason })
      this.onIdle()
    }
  }

  private execute(client: DatabaseClient): void {
    const { server, request, timeoutMs } = this
    this.backendPid = client.server.isPooled ? undefined : (client.processID ?? undefined)
    this.executedFrom = server.now()
    server.observe({
      kind: 'connection-acquired',
      pool: 'reports',
      durationMs: this.executedFrom - this.startedAt,
      origin: request.origin,
      backendPid: this.backendPid,
    })
    const before = server.guardsFor(client, request.maxLagMs)
    // why: only a connection shows whether it supports prepared statements; without them no plan is shared
    if (client.preparing.isOn) this.plan = server.plans.planFor(request)
    if (this.plan === 'shared') before.push(SHARED_PLAN)
    // why: what is probed while the statement executes may be newer than its snapshot
    this.dataAsOf = server.stateFor(client)?.dataAsOf
    const text = request.origin === undefined ? request.text : request.commentedText
    const { values, preparedName: name } = request
    const statement = { text, values, name, describes: true, isReadOnly: true, before, timeoutMs }
    this.execution = new Execution(client, statement, this)
  }

  begin(fields: readonly Field[]): R {
    this.resultAfterMs = this.server.now() - this.startedAt
    return this.beginResult({ fields, dataAsOf: this.dataAsOf })
  }

  onEnd(failure: Failure | undefined): void {
    this.failure = failure
    this.settle(failure)
  }

  onIdle(): void {
    const { server, execution } = this
    if (execution !== undefined) {
      const durationMs = execution.failure ? undefined : server.now() - this.executedFrom
      server.plans.ended(this.request, this.plan, durationMs)
    }
    this.client!.giveBack()
    this.onReleased()
  }

  private report({ reason }: Stop): void {
    const { request, server, failure } = this
    // why: after a stop the client has either disconnected or received a problem, such as an unavailable server
    const isCancelled = reason !== undefined && !(reason instanceof Problem)
    const problem = failure && !isCancelled ? classifyError(failure.reason) : undefined
    if (problem?.cause !== undefined) server.noteError(problem.cause)
    const outcome = failure === undefined ? 'ok' : problem ? outcomeOf(problem) : 'cancelled'
    server.observe({
      kind: 'execution',
      origin: request.origin,
      backendPid: this.backendPid,
      definition: request.name,
      outcome,
      plan: this.plan,
      queueMs: this.queueMs,
      durationMs: server.now() - this.startedAt,
      resultAfterMs: this.resultAfterMs,
      rowCount: this.execution?.reader?.rowCount ?? 0,
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

export function outcomeOf({ code, cause }: Problem): ExecutionOutcome {
  return cause instanceof ReaderFullError ? 'spool_full' : (OUTCOMES[code] ?? 'error')
}
