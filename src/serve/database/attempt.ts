/** One execution on one server: takes a connection, executes, and releases it once it is idle. Knows pg. */
import type { PoolClient } from 'pg'
import { Problem } from '../../model/errors.ts'
import type { ProblemCode } from '../../model/errors.ts'
import type { ExecutionOutcome, PlanKind } from '../../model/observation.ts'
import type { Stop } from '../../model/stop.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { classifyError, transportError } from './classify-error.ts'
import { isIdle, servers } from './connection.ts'
import { Execution } from './execution.ts'
import type { ExecutionOwner } from './execution.ts'
import { PREPARED_ERRORS } from './prepared.ts'
import type { Field } from './prepared.ts'
import type { ResultHead, ResultReader } from './result-reader.ts'
import type { ReportServer } from './report-server.ts'
import { command } from './statement-bytes.ts'
import { ReaderFullError } from './statement-request.ts'
import type { StatementRequest } from './statement-request.ts'

/** @see https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-PLAN-CACHE-MODE */
const SHARED_PLAN = command('set local plan_cache_mode = force_generic_plan')

export class Attempt<R extends ResultReader> implements ExecutionOwner<R> {
  readonly startedAt: Milliseconds
  /** Defined once a connection was acquired. */
  client: PoolClient | undefined
  private readonly server: ReportServer
  private readonly request: StatementRequest
  private readonly timeoutMs: Milliseconds
  private readonly beginResult: (head: ResultHead) => R
  private readonly onReleased: () => void
  private execution: Execution<R> | undefined
  private executedFrom: Milliseconds = 0
  private resultAfterMs: Milliseconds | undefined
  private dataAsOf: ResultHead['dataAsOf']
  private backendPid: number | undefined
  private plan: PlanKind = 'own'
  /** Its prepared statements may be stale. */
  private isStale = false
  private ended: { readonly reason: unknown } | undefined
  private rejectConnection: ((reason: unknown) => void) | undefined

  /**
   * @param timeoutMs what is left of that of the request
   * @param onReleased called once, when the connection is released or there is none
   */
  constructor(
    server: ReportServer,
    request: StatementRequest,
    timeoutMs: Milliseconds,
    beginResult: (head: ResultHead) => R,
    onReleased: () => void,
  ) {
    this.server = server
    this.request = request
    this.timeoutMs = timeoutMs
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
    this.ended ??= { reason }
    if (this.execution !== undefined) this.execution.stop(reason)
    else this.rejectConnection?.(reason)
  }

  /**
   * @param queueMs time that it waited for its slot
   * @throws what pg, the transport or the reader reported; the reason of the stop or of `end`
   */
  async run(stop: Stop, queueMs: Milliseconds): Promise<R> {
    const remove = stop.onStop(this.end)
    try {
      const reader = await this.execute(await this.connect())
      this.report(queueMs, stop)
      return reader
    } catch (error) {
      this.report(queueMs, stop, { error })
      throw error
    } finally {
      remove()
    }
  }

  private connect(): Promise<PoolClient> {
    return new Promise((resolve, reject) => {
      const { ended } = this
      const rejectOnce = (this.rejectConnection = reason => {
        this.rejectConnection = undefined
        this.onReleased()
        reject(reason)
      })
      // why: it may have been stopped between its admission and now
      if (ended !== undefined) return rejectOnce(ended.reason)
      this.server.pool.connect((error: Error | undefined, client: PoolClient | undefined) => {
        // why: a connection that is made after the end is for others
        if (this.ended !== undefined) return client?.release()
        if (client === undefined) return rejectOnce(transportError(error))
        this.rejectConnection = undefined
        resolve(client)
      })
    })
  }

  private execute(client: PoolClient): Promise<R> {
    const { server, request } = this
    const { isPooled } = servers.get(client)!
    const { processID } = client as unknown as { readonly processID: number | null }
    this.client = client
    this.backendPid = isPooled ? undefined : (processID ?? undefined)
    this.executedFrom = server.now()
    server.observe({
      kind: 'connection-acquired',
      pool: 'reports',
      durationMs: this.executedFrom - this.startedAt,
      origin: request.origin,
      backendPid: this.backendPid,
    })
    try {
      // why: it may have ended since its connection was made
      if (this.ended !== undefined) throw this.ended.reason
      server.refuseUnsuitable(client, request)
    } catch (error) {
      this.onIdle()
      throw error
    }
    // why: only a connection shows whether it supports prepared statements; without them no plan is shared
    const name = server.pool.nameOf(request.preparedName)
    if (name !== undefined) this.plan = server.plans.planFor(request)
    const guard = server.guardOf(client)
    const before = guard === undefined ? [] : [guard]
    if (this.plan === 'shared') before.push(SHARED_PLAN)
    // why: what is probed while the statement executes may be newer than its snapshot
    this.dataAsOf = server.dataAsOf(client)
    const { timeoutMs } = this
    const text = request.origin === undefined ? request.text : request.commentedText
    const { values } = request
    const statement = { text, values, name, describes: true, isReadOnly: true, before }
    this.execution = new Execution(client, { ...statement, timeoutMs, isPooled }, this)
    return this.execution.result
  }

  begin(fields: readonly Field[]): R {
    this.resultAfterMs = this.server.now() - this.startedAt
    return this.beginResult({ fields, dataAsOf: this.dataAsOf })
  }

  onRefused(code: string): void {
    this.server.pool.refused(code)
    // why: its other prepared statements may be stale, too
    if (code === PREPARED_ERRORS.planChanged) this.isStale = true
  }

  onIdle(): void {
    const { server, execution } = this
    const client = this.client!
    if (execution !== undefined) {
      const durationMs = execution.failure ? undefined : server.now() - this.executedFrom
      server.plans.ended(this.request, this.plan, durationMs)
    }
    client.release(this.isStale || !isIdle(client))
    this.onReleased()
  }

  private report(
    queueMs: Milliseconds,
    { reason }: Stop,
    failed?: { readonly error: unknown },
  ): void {
    const { request, server } = this
    // why: after a stop the client has either disconnected or received a problem, such as an unavailable server
    const isCancelled = reason !== undefined && !(reason instanceof Problem)
    const problem = failed === undefined || isCancelled ? undefined : classifyError(failed.error)
    if (problem?.cause !== undefined) server.noteError(problem.cause)
    const outcome = failed === undefined ? 'ok' : problem ? outcomeOf(problem) : 'cancelled'
    server.observe({
      kind: 'execution',
      origin: request.origin,
      backendPid: this.backendPid,
      definition: request.name,
      outcome,
      plan: this.plan,
      queueMs,
      durationMs: server.now() - this.startedAt,
      resultAfterMs: this.resultAfterMs,
      rowCount: this.execution?.reader?.rowCount ?? 0,
      error: problem?.cause ?? failed?.error,
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
