/**
 * The pool of a replica for reports: its sessions, what its connections must not execute, the plans of its statements, and one
 * execution, which takes a connection and gives it back once it is idle. Knows pg.
 */
import { LRUCache } from 'lru-cache'
import { Problem, type ProblemCode } from '../../model/errors.ts'
import type { ExecutionOutcome, PlanKind, ReplicaState } from '../../model/observation.ts'
import type { Stop } from '../../model/stop.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { Slot } from './admission-request.ts'
import { classifyError, UnsuitableServerError, WRITABLE_SERVER } from './classify-error.ts'
import { readOnlyRows, type QueryRows, type DatabaseOptions } from './connection.ts'
import type { DatabaseClient } from './database-client.ts'
import { executeOnSession, type SessionExecution } from './session-execution.ts'
import { createPool } from './pool.ts'
import { TRUSTED_MS, type Probe } from './probe.ts'
import type { Counted, UseRows, ReportStatement } from './rows.ts'
import { lagProblem, stateSince } from './peer-check.ts'
import { command } from './statement-bytes.ts'

/** The limit of each query of a check. */
const CHECK_MS: Milliseconds = 5000

/** why: without a fresh probe, each transaction checks that its server has not been promoted, at no round trip */
const RECOVERY_GUARD = command(
  `select where not case when pg_is_in_recovery() then true else current_setting('${WRITABLE_SERVER}')::bool end`,
)

/** @see https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-PLAN-CACHE-MODE */
const SHARED_PLAN = command('set local plan_cache_mode = force_generic_plan')

/**
 * `client_connection_check_interval` of its session: so soon the server notices that it was closed.
 * why: with 500 ms, 50 aborts a second made others wait 0.2 s for a slot
 */
const ABORT_MS: Milliseconds = 100

export interface ReportPoolOptions extends DatabaseOptions {
  readonly poolSize: number
  readonly allowPrimary: boolean
  /** Undefined for a command, which reads no data age. */
  readonly probe?: Probe
  readonly now: Clock
}

/** What an attempt executes, and for whom. */
interface Attempt<T> {
  readonly statement: ReportStatement
  /** Released once the server executes nothing more for it. */
  readonly slot: Pick<Slot<unknown>, 'queueMs' | 'release'>
  readonly stop: Stop
  readonly read: UseRows<T>
}

export function createReportPool(options: ReportPoolOptions) {
  const { poolSize, allowPrimary, probe, now, observe } = options
  const plans = createPlans()
  const sessions = createPool({
    ...options,
    name: 'reports',
    max: poolSize,
    replicaOnly: !allowPrimary,
    async accept(client) {
      await probe?.probeNow()
      probe?.refuseOther(client)
    },
  })

  /** The probed state of the server behind the session; undefined if unknown. */
  function stateFor({ peer }: DatabaseClient): ReplicaState | undefined {
    // why: behind a pooler, nothing guards against a state that is older
    const isUnguarded = peer.isPooled && (probe?.stateAgeMs() ?? 0) > TRUSTED_MS
    return probe === undefined || isUnguarded ? undefined : stateSince(peer, probe)
  }

  /**
   * Commands for the transaction of a statement, which fail on a server that must not execute it.
   * @throws if the session must not execute it; it may be closed then
   */
  function guardsFor(client: DatabaseClient, maxLagMs: Milliseconds | undefined): Buffer[] {
    // why: the probe's connection was replaced, and those of the pool lead to its last server
    probe?.refuseOther(client, sessions.dropIdle)
    if (maxLagMs !== undefined && probe !== undefined) {
      // why: the connection may be newer than the last probe
      const words = lagProblem(stateFor(client), probe.stateAgeMs(), maxLagMs)
      if (words !== undefined) throw new UnsuitableServerError(`the replica ${words}`)
    }
    if (probe === undefined || probe.stateAgeMs() > TRUSTED_MS)
      return allowPrimary ? [] : [RECOVERY_GUARD]
    return probe.guardsFor(client)
  }

  return {
    sessions,
    /** What `read` returns. @throws what pg, the transport or `read` reported; the reason of the stop */
    async execute<T extends Counted | undefined>(attempt: Attempt<T>): Promise<T> {
      const { statement, slot, stop, read } = attempt
      const { name: definition, preparedName: name, origin, values, timeoutMs } = statement
      const startedAt = now()
      let client: DatabaseClient | undefined
      let plan: PlanKind = 'own'
      let resultAfterMs: Milliseconds | undefined
      let rows: SessionExecution | undefined
      let result: T | undefined
      let failure: { readonly reason: unknown } | undefined
      let isHeld = true
      const release = (): void => {
        isHeld = false
        client?.giveBack()
        // why: so long the server may execute it, and its connection counts there
        if (client?.isAborted === true) setTimeout(() => slot.release(), ABORT_MS).unref()
        else slot.release()
      }
      try {
        client = await sessions.connect(stop)
        const { backendPid } = client
        const executedFrom = now()
        const durationMs = executedFrom - startedAt
        observe({ kind: 'connection-acquired', pool: 'reports', durationMs, origin, backendPid })
        if (statement.maxLagMs !== undefined) await probe?.renew()
        const before = guardsFor(client, statement.maxLagMs)
        // why: behind a pooler no statement is prepared, and no plan shared
        if (!client.peer.isPooled) plan = plans.planFor(statement)
        if (plan === 'shared') before.push(SHARED_PLAN)
        // why: what is probed while the statement executes may be newer than its snapshot
        const dataAsOf = stateFor(client)?.dataAsOf
        const text = origin === undefined ? statement.text : statement.commentedText
        const ofSession = { text, values, name, isReadOnly: true, before, timeoutMs, dataAsOf }
        rows = await executeOnSession(client, ofSession, stop, release)
        resultAfterMs = now() - startedAt
        // why: the time of a longer result is also that of its reader
        if (rows.isWhole) plans.ended(statement, plan, now() - executedFrom)
        const reading = read(rows)
        result = reading instanceof Promise ? await reading : reading
        return result
      } catch (reason) {
        failure = { reason }
        throw reason
      } finally {
        rows?.stop(new Error('the rest of the rows is not needed'))
        if (isHeld && rows === undefined) release()
        // why: after a stop the client has either disconnected or received a problem, such as an unavailable server
        const isCancelled = stop.reason !== undefined && !(stop.reason instanceof Problem)
        const problem = failure && !isCancelled ? classifyError(failure.reason) : undefined
        if (problem?.code === 'report_timeout') plans.timedOut(statement, plan)
        observe({
          kind: 'execution',
          origin,
          backendPid: client?.backendPid,
          definition,
          outcome: result === undefined ? outcomeOf(problem) : 'ok',
          plan,
          queueMs: slot.queueMs,
          durationMs: now() - startedAt,
          resultAfterMs,
          rowCount: result?.rowCount ?? rows?.rowCount ?? 0,
          error: problem?.cause ?? failure?.reason,
        })
      }
    },
    /** Calls `work` with a session. @throws what `work` throws; if no connection can be made */
    withSession: <T>(work: (read: QueryRows) => Promise<T>): Promise<T> =>
      sessions.withSession(client => work(query => readOnlyRows(client, CHECK_MS, query))),
  }
}

const OUTCOMES: Readonly<Partial<Record<ProblemCode, ExecutionOutcome>>> = {
  result_too_large: 'too_large',
  report_timeout: 'timeout',
  replica_unavailable: 'unavailable',
  rate_limited: 'refused',
  overloaded: 'spool_full',
}

/** @param problem undefined if it was cancelled */
export function outcomeOf(problem: Problem | undefined): ExecutionOutcome {
  if (problem === undefined) return 'cancelled'
  if (problem.refusal === 'overloaded') return 'queue_timeout'
  return OUTCOMES[problem.code] ?? 'error'
}

type PlannedStatement = Pick<ReportStatement, 'preparedName' | 'similarityKey'>

interface PlanCosts {
  /** Average duration with per-execution plans; recent ones weigh most. */
  own: Milliseconds
  /** Average duration with the shared plan; undefined before the first. */
  shared: Milliseconds | undefined
  /** Count of executions with per-execution plans before the shared plan is tried again. */
  retryAfter: number
}

/**
 * measured: planning takes 0.4 to 4 ms. For 28 reports the shared plan is 2 to 5 times as fast for a median
 * organization, and up to 29 times slower for a large one, whose reports of a year take 2 to 600 ms.
 */
const SHORT_MS: Milliseconds = 5
const EXECUTIONS_UNTIL_RETRY = 20
/** Weight of the last execution in an average: a single slow one decides nothing. */
const WEIGHT = 0.2
/** About 4 MB. */
const MAX_ENTRIES = 20_000

/**
 * Chooses between shared and per-execution plans. Per-execution plans suit organizations that differ 50-fold in
 * size, but for small results planning takes longer than execution. If similar executions were short, the next one
 * tries the shared plan, which is used as long as it is faster.
 */
function createPlans() {
  const costs = new LRUCache<string, PlanCosts>({ max: MAX_ENTRIES })

  return {
    planFor(statement: PlannedStatement): PlanKind {
      if (statement.similarityKey === undefined) return 'own'
      const last = costs.get(keyOf(statement))
      return last !== undefined && last.own <= SHORT_MS && last.retryAfter === 0 ? 'shared' : 'own'
    },
    /** The shared plan is never tried again after it. */
    timedOut(statement: PlannedStatement, plan: PlanKind): void {
      const last = costs.get(keyOf(statement))
      if (plan === 'shared' && last !== undefined) last.retryAfter = Infinity
    },
    /** An execution with this plan has succeeded. */
    ended(statement: PlannedStatement, plan: PlanKind, durationMs: Milliseconds): void {
      const key = keyOf(statement)
      const last = costs.get(key)
      if (last === undefined) {
        if (plan === 'own') costs.set(key, { own: durationMs, shared: undefined, retryAfter: 0 })
      } else {
        last[plan] = averageOf(last[plan], durationMs)
        if (plan === 'own') last.retryAfter = Math.max(0, last.retryAfter - 1)
        else if (last.shared! > last.own) {
          last.shared = undefined
          // why: if the shared plan is much slower, it is never tried again
          last.retryAfter = durationMs > SHORT_MS * 2 ? Infinity : EXECUTIONS_UNTIL_RETRY
        }
      }
    },
  }
}

function keyOf({ preparedName, similarityKey }: PlannedStatement): string {
  return `${preparedName}\n${similarityKey}`
}

function averageOf(before: Milliseconds | undefined, now: Milliseconds): Milliseconds {
  return before === undefined ? now : before + (now - before) * WEIGHT
}
