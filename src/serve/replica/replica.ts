/**
 * The replica that reports run on: its slots, a connection, a run, and what the probe saw last. Knows
 * pg; knows neither Koa, the cache nor formats.
 */
import type { ClientBase } from 'pg'
import { Problem } from '../../model/errors.ts'
import type { PoolUse } from '../../model/gauges.ts'
import type { ReplicaState, RunOutcome } from '../../model/observation.ts'
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
import { servers } from './connection.ts'
import { createPool, isInRecovery, openSession } from './pool.ts'
import type { ServerOptions } from './pool.ts'
import { rehearse } from './rehearse.ts'
import type { Refusal, Rehearsal } from './rehearse.ts'
import { createExecuteOnConnection } from './connection-execution.ts'
import type { ConnectionExecution, Requested } from './connection-execution.ts'
import { ReaderFullError } from './statement-request.ts'
import type { StatementRequest } from './statement-request.ts'
import { tooFarBehind } from './replica-choice.ts'
import { stateSince } from './probe.ts'
import type { Probe } from './probe.ts'
import { createWritePrivileges } from './write-privileges.ts'

/** An older look at the replica does not tell whether it has been promoted since. */
const TRUSTED_MS: Milliseconds = 3000
/** Longest wait for a probe of the server of a new connection. */
const PROBE_MS: Milliseconds = 500

export interface ReplicaExecution extends ConnectionExecution {
  /**
   * Its reader has finished: to be called once. With an error it ends, whether it has been read or not.
   * @param rowCount that has been read
   */
  report(rowCount: number, error?: unknown): void
}

export interface Replica {
  /** @param queueMs how long it has waited for its slot */
  execute(
    request: StatementRequest,
    signal: AbortSignal,
    queueMs?: Milliseconds,
  ): Requested<ReplicaExecution>
  pool(): PoolUse
  /** How many executions it takes at once now. */
  slots(): number
  /** Executions wait for a slot. @see Capacity */
  wanted(): void
  /** Makes a connection beside the pool's, and closes it. @throws as pg, but where the pool has all that there are. */
  reach(): Promise<void>
  /** Whether there is a connection, used or idle, or one that is being made. */
  isConnected(): boolean
  /** What its role can write, in words with the SQL that takes it away; undefined if nothing is known of. */
  writePrivileges(): string | undefined
  /** Drops the connections that nobody uses: the next run makes a new one. */
  dropIdle(): void
  /** Has every statement planned once, for nobody. @see rehearse */
  rehearse(rehearsals: readonly Rehearsal[]): Promise<readonly Refusal[] | undefined>
  close(): Promise<void>
}

export interface ReplicaOptions extends ServerOptions {
  readonly poolSize: number
  /** How long its circuit has been closed: few connections are used at first after an outage. */
  readonly closedMs?: () => Milliseconds | undefined
  /** There may be more slots than a moment ago. */
  readonly onMore?: () => void
  readonly allowPrimary: boolean
  /** What the probe saw last; undefined until it has seen anything. */
  readonly state: () => ReplicaState | undefined
  readonly stateAgeMs: () => Milliseconds
  /** Nothing is probed unless given. */
  readonly probeAnew?: Probe['probeAnew']
  readonly now: Clock
}

export function createReplica(options: ReplicaOptions): Replica {
  const { allowPrimary, state, stateAgeMs, observe, now } = options

  function refuseWritable(inRecovery: boolean): void {
    if (inRecovery || allowPrimary) return
    throw replicaProblem('replica_unavailable', new WritableServerError())
  }

  const seenOn = (client: ClientBase): ReplicaState | undefined =>
    stateSince(servers.get(client)!, { state, stateAgeMs })

  function refuseFar(client: ClientBase, maxLagMs: Milliseconds): void {
    const words = tooFarBehind(seenOn(client), stateAgeMs(), maxLagMs)
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
    preparing: pool.preparing,
    refuseAtOnce: () => refuseWritable(state()?.inRecovery ?? true),
    refuseUnfit: async (client, { maxLagMs }, signal) => {
      if (stateAgeMs() > TRUSTED_MS) {
        // why: a connection that is left with a statement under way is destroyed
        const asked = isInRecovery(client, options.connectTimeoutMs)
        refuseWritable(await unlessAborted(asked, signal))
      }
      // why: it may have waited in the queue for long
      if (maxLagMs !== undefined && options.probeAnew) refuseFar(client, maxLagMs)
    },
    isPooled: client => servers.get(client)!.isPooled,
    dataAsOf: client => seenOn(client)?.dataAsOf,
    observe,
    now,
  })

  return {
    execute(request, signal, queueMs = 0) {
      const startedAt = now()
      const requested = executeOnConnection(request, signal)

      function report(rowCount: number, error?: unknown): void {
        // why: the client may have disconnected, or have been told of a problem, such as that the server is gone
        const isAborted = signal.aborted && !(error instanceof Problem)
        const problem = error === undefined || isAborted ? undefined : classifyError(error)
        if (isFull(problem?.cause)) capacity.refused()
        const outcome = error === undefined ? 'ok' : problem ? outcomeOf(problem) : 'cancelled'
        observe({
          kind: 'run',
          definition: request.name,
          outcome,
          plan: requested.plan(),
          queueMs,
          durationMs: now() - startedAt,
          rowCount,
          error: problem?.cause ?? error,
        })
      }

      const started = requested.started.then(
        execution => ({
          ...execution,
          report(rowCount: number, error?: unknown) {
            report(rowCount, error)
            if (error !== undefined) void execution.batches.return?.()
          },
        }),
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
      // why: the pool's own may all be taken by runs that hang
      const session = openSession({
        name: 'reports',
        connectionString: options.connectionString,
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
    rehearse: rehearsals => rehearse(pool, rehearsals),
    close: () => pool.end(),
  }
}

function outcomeOf({ code, cause }: Problem): RunOutcome {
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
