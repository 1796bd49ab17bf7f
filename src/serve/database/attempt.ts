/** One execution on one server: takes a connection, executes, and gives it back once it is idle. Knows pg. */
import { Problem, type ProblemCode } from '../../model/errors.ts'
import type { ExecutionOutcome, PlanKind } from '../../model/observation.ts'
import type { Stop } from '../../model/stop.ts'
import type { Instant, Milliseconds } from '../../model/terms.ts'
import { classifyError, transportError } from './classify-error.ts'
import type { DatabaseClient } from './database-client.ts'
import { Execution, type ExecutionOwner, type Failure } from './execution.ts'
import type { Field, ResultHead, ResultReader } from './result-reader.ts'
import type { ReportServer } from './report-server.ts'
import { command } from './statement-bytes.ts'
import { ReaderFullError, type StatementRequest } from './statement-request.ts'

/** @see https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-PLAN-CACHE-MODE */
const SHARED_PLAN = command('set local plan_cache_mode = force_generic_plan')

/** What an attempt executes, and for whom. */
export interface AttemptOptions<R extends ResultReader> {
  readonly request: StatementRequest
  /** What is left of that of the request. */
  readonly timeoutMs: Milliseconds
  /** Time that it waited for its slot. */
  readonly queueMs: Milliseconds
  readonly stop: Stop
  readonly begin: (head: ResultHead) => R
  /** Called once, when the connection is given back or there is none. */
  readonly onReleased: () => void
}

export class Attempt<R extends ResultReader> implements ExecutionOwner<R> {
  readonly startedAt: Milliseconds
  /** Defined once a connection was acquired. */
  client: DatabaseClient | undefined
  private readonly server: ReportServer
  private readonly options: AttemptOptions<R>
  private execution: Execution<R> | undefined
  private executedFrom: Milliseconds = 0
  private resultAfterMs: Milliseconds | undefined
  private dataAsOf: Instant | undefined
  private plan: PlanKind = 'own'
  private failure: Failure | undefined
  private settle!: () => void

  constructor(server: ReportServer, options: AttemptOptions<R>) {
    this.server = server
    this.options = options
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
      this.options.onReleased()
    }
  }

  /** @throws what pg, the transport or the reader reported; the reason of the stop or of `end` */
  run(): Promise<R> {
    return new Promise((resolve, reject) => {
      let remove: (() => void) | undefined
      this.settle = () => {
        remove?.()
        if (this.failure === undefined) resolve(this.execution!.reader!)
        else reject(this.failure.reason)
      }
      // why: it may have been stopped between its admission and now
      remove = this.options.stop.onStop(this.end)
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
    const { server } = this
    const { request, timeoutMs } = this.options
    this.executedFrom = server.now()
    server.observe({
      kind: 'connection-acquired',
      pool: 'reports',
      durationMs: this.executedFrom - this.startedAt,
      origin: request.origin,
      backendPid: client.backendPid,
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
    return this.options.begin({ fields, dataAsOf: this.dataAsOf })
  }

  onEnd(failure: Failure | undefined): void {
    this.failure = failure
    this.report()
    this.settle()
  }

  onIdle(): void {
    const { server, execution } = this
    const { request, onReleased } = this.options
    if (execution !== undefined) {
      const durationMs = execution.failure ? undefined : server.now() - this.executedFrom
      server.plans.ended(request, this.plan, durationMs)
    }
    this.client!.giveBack()
    onReleased()
  }

  private report(): void {
    const { server, failure } = this
    const { request, queueMs, stop } = this.options
    // why: after a stop the client has either disconnected or received a problem, such as an unavailable server
    const isCancelled = stop.reason !== undefined && !(stop.reason instanceof Problem)
    const problem = failure && !isCancelled ? classifyError(failure.reason) : undefined
    if (problem?.cause !== undefined) server.noteError(problem.cause)
    server.observe({
      kind: 'execution',
      origin: request.origin,
      backendPid: this.client?.backendPid,
      definition: request.name,
      outcome: failure === undefined ? 'ok' : outcomeOf(problem),
      plan: this.plan,
      queueMs,
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

/** @param problem undefined if it was cancelled */
export function outcomeOf(problem: Problem | undefined): ExecutionOutcome {
  if (problem === undefined) return 'cancelled'
  return problem.cause instanceof ReaderFullError
    ? 'spool_full'
    : (OUTCOMES[problem.code] ?? 'error')
}
