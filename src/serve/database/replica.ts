/**
 * A replica that executes reports: its pool, its slots and its last probed state. Knows pg; knows neither Koa, the
 * cache nor formats.
 */
import type { ClientBase } from 'pg'
import { Problem } from '../../model/errors.ts'
import type { PoolUse } from '../../model/gauges.ts'
import type { ReplicaState, ExecutionOutcome } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { unlessAborted } from '../../model/unless-aborted.ts'
import { createCapacity } from './capacity.ts'
import {
  classifyError,
  isFull,
  replicaProblem,
  TooFarBehindError,
  WritableServerError,
} from './classify-error.ts'
import { servers, withConnection } from './connection.ts'
import { createPool, isInRecovery, openSession } from './pool.ts'
import type { ServerOptions } from './pool.ts'
import { createExecuteOnConnection } from './connection-execution.ts'
import type { ConnectionExecution, Requested } from './connection-execution.ts'
import { readOnlyRows, type ShortQuery } from './row-query.ts'
import { ReaderFullError } from './statement-request.ts'
import type { StatementRequest } from './statement-request.ts'
import { lagProblem } from './replica-choice.ts'
import { stateSince } from './probe.ts'
import type { Probe } from './probe.ts'
import type { ServerCheck } from './server-check.ts'
import { createWritePrivileges } from './write-privileges.ts'

/** If the last probe is older, the replica may have been promoted since. */
const TRUSTED_MS: Milliseconds = 3000
/** Longest wait for a probe of the server of a new connection. */
const PROBE_MS: Milliseconds = 500

/** Of each query of a check. */
const CHECK_MS: Milliseconds = 5000

/** Reads rows in a read-only transaction. @throws as `readOnlyRows` */
export type ReadRows = (query: ShortQuery) => ReturnType<typeof readOnlyRows>

export interface ReplicaExecution extends ConnectionExecution {
  /**
   * Call it once, when the reader has finished. With an error the execution ends, even if rows are unread.
   * @param rowCount rows that were read
   */
  report(rowCount: number, error?: unknown): void
}

export interface Replica {
  /** @param queueMs time that it waited for its slot */
  execute(
    request: StatementRequest,
    signal: AbortSignal,
    queueMs?: Milliseconds,
  ): Requested<ReplicaExecution>
  pool(): PoolUse
  /** How many concurrent executions it takes now. */
  slots(): number
  /** Call it while executions wait for a slot. @see createCapacity */
  onQueued(): void
  /** Makes a connection outside the pool, and closes it. @throws as pg, unless the pool itself uses all connections. */
  reach(): Promise<void>
  /** Whether a connection is in use, idle or being made. */
  isConnected(): boolean
  /** Write privileges of its role, with the SQL that revokes them; undefined if none is known. */
  writePrivileges(): string | undefined
  /** Closes idle connections: the next execution makes a new one. */
  dropIdle(): void
  /** Lends a connection to a check. @throws what `work` throws; if no connection can be made */
  lend<T>(work: (read: ReadRows) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface ReplicaOptions extends ServerOptions, Partial<ServerCheck> {
  readonly poolSize: number
  /** How long the circuit breaker has been closed: after an outage the number of slots grows slowly. */
  readonly closedMs?: () => Milliseconds | undefined
  /** Called when slots may have been added. */
  readonly onMore?: () => void
  readonly allowPrimary: boolean
  /** State at the last probe; undefined before the first. */
  readonly state: () => ReplicaState | undefined
  readonly stateAgeMs: () => Milliseconds
  /** If undefined, new connections are not probed. */
  readonly probeAnew?: Probe['probeAnew']
  readonly now: Clock
}

export function createReplica(options: ReplicaOptions): Replica {
  const { allowPrimary, state, stateAgeMs, observe, now } = options

  function refuseWritable(inRecovery: boolean): void {
    if (inRecovery || allowPrimary) return
    throw replicaProblem('replica_unavailable', new WritableServerError())
  }

  function stateFor(client: ClientBase): ReplicaState | undefined {
    const server = servers.get(client)!
    // why: nothing guards against a state that is older
    if (server.isPooled && stateAgeMs() > TRUSTED_MS) return undefined
    return stateSince(server, { state, stateAgeMs })
  }

  function refuseOld(client: ClientBase, { maxLagMs }: StatementRequest): void {
    const words = lagProblem(stateFor(client), stateAgeMs(), maxLagMs)
    if (words === undefined) return
    throw replicaProblem('replica_unavailable', new TooFarBehindError(`the replica ${words}`))
  }

  const privileges = createWritePrivileges({ timeoutMs: options.connectTimeoutMs, observe })
  const pool = createPool({
    ...options,
    name: 'reports',
    max: options.poolSize,
    replicaOnly: !allowPrimary,
    accept: async (_server, client) => {
      await Promise.all([options.probeAnew?.(PROBE_MS), privileges.check(client)])
      options.refuseOther?.(client)
    },
  })
  const capacity = createCapacity({
    pool,
    poolSize: options.poolSize,
    closedMs: options.closedMs ?? (() => Number.POSITIVE_INFINITY),
    onMore: options.onMore ?? (() => undefined),
  })

  const executeOnConnection = createExecuteOnConnection({
    pool,
    statements: pool.statements,
    refuseAtOnce: () => refuseWritable(state()?.inRecovery ?? true),
    refuseUnsuitable: async (client, request, signal) => {
      // why: the probe's connection was replaced, and those of the pool lead to its last server
      options.refuseOther?.(client, pool.dropIdle)
      if (stateAgeMs() > TRUSTED_MS) {
        // why: an abort need not wait: a connection with a statement in flight is destroyed, not reused
        const inRecovery = isInRecovery(client, options.connectTimeoutMs)
        refuseWritable(await unlessAborted(inRecovery, signal))
      }
      // why: the lag may have grown while the request was queued
      if (options.probeAnew) refuseOld(client, request)
    },
    isPooled: client => servers.get(client)!.isPooled,
    guardOf: client => (stateAgeMs() > TRUSTED_MS ? undefined : options.guardOf?.(client)),
    dataAsOf: client => stateFor(client)?.dataAsOf,
    observe,
    now,
  })

  return {
    execute(request, signal, queueMs = 0) {
      const startedAt = now()
      const requested = executeOnConnection(request, signal)
      let resultAfterMs: Milliseconds | undefined

      function report(rowCount: number, error?: unknown): void {
        // why: on abort the client has either disconnected or received a problem, such as an unavailable server
        const isAborted = signal.aborted && !(error instanceof Problem)
        const problem = error === undefined || isAborted ? undefined : classifyError(error)
        if (isFull(problem?.cause)) capacity.refused()
        options.statementFailed?.(problem?.cause)
        const outcome = error === undefined ? 'ok' : problem ? outcomeOf(problem) : 'cancelled'
        observe({
          kind: 'execution',
          origin: request.origin,
          backendPid: requested.backendPid(),
          definition: request.name,
          outcome,
          plan: requested.plan(),
          queueMs,
          durationMs: now() - startedAt,
          resultAfterMs,
          rowCount,
          error: problem?.cause ?? error,
        })
      }

      const started = requested.started.then(
        execution => {
          resultAfterMs = now() - startedAt
          return {
            ...execution,
            report(rowCount: number, error?: unknown) {
              report(rowCount, error)
              if (error !== undefined) void execution.batches.return?.()
            },
          }
        },
        (error: unknown) => {
          report(0, error)
          throw error
        },
      )
      return { ...requested, started }
    },
    ...capacity,
    pool: pool.use,
    async reach() {
      // why: hanging executions may hold all connections of the pool
      const session = openSession({
        name: 'reports',
        connectionString: options.connectionString,
        currentUrl: options.currentUrl,
        connectTimeoutMs: options.connectTimeoutMs,
      })
      try {
        await (await session).close()
      } catch (error) {
        if (!isFull(error) || !capacity.isConnected()) throw error
        capacity.refused()
      }
    },
    writePrivileges: () => privileges.found(),
    dropIdle: pool.dropIdle,
    lend: work =>
      withConnection(pool, client => work(query => readOnlyRows(client, CHECK_MS, query))),
    close: () => pool.end(),
  }
}

function outcomeOf({ code, cause }: Problem): ExecutionOutcome {
  switch (code) {
    case 'result_too_large':
      return 'too_large'
    case 'report_timeout':
      return 'timeout'
    case 'replica_unavailable':
      return 'unavailable'
    case 'overloaded':
      return cause instanceof ReaderFullError ? 'spool_full' : 'unavailable'
    default:
      return 'error'
  }
}
