/** A server that executes reports: its pool, and what its connections must not execute. */
import type { ReplicaState } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { UnsuitableServerError, WRITABLE_SERVER } from './classify-error.ts'
import { withConnection } from './connection.ts'
import { createPlans } from './plans.ts'
import { createPool, type ServerOptions } from './pool.ts'
import { stateSince, TRUSTED_MS, type Probe } from './probe.ts'
import { lagProblem } from './replica-choice.ts'
import { readOnlyRows, type ReadRows } from './row-query.ts'
import type { DatabaseClient } from './database-client.ts'
import { command } from './statement-bytes.ts'

/** Longest wait of a new connection for a probe of its server. */
const PROBE_MS: Milliseconds = 500
/** Of each query of a check. */
const CHECK_MS: Milliseconds = 5000

/** why: without a fresh probe, each transaction checks that its server has not been promoted, at no round trip */
const RECOVERY_GUARD = command(
  `select where not case when pg_is_in_recovery() then true else current_setting('${WRITABLE_SERVER}')::bool end`,
)

export interface ReportServerOptions extends ServerOptions {
  readonly poolSize: number
  readonly allowPrimary: boolean
  /** Undefined for a command, which reads no data age. */
  readonly probe?: Probe
  readonly now: Clock
}

export type ReportServer = ReturnType<typeof createReportServer>

export function createReportServer(options: ReportServerOptions) {
  const { poolSize, allowPrimary, probe, now } = options
  const pool = createPool({
    ...options,
    name: 'reports',
    max: poolSize,
    replicaOnly: !allowPrimary,
    async accept(client) {
      await probe?.probeAnew(PROBE_MS)
      probe?.refuseOther(client)
    },
  })

  /** The probed state of the server behind the session; undefined if unknown. */
  function stateFor({ server }: DatabaseClient): ReplicaState | undefined {
    // why: behind a pooler, nothing guards against a state that is older
    const isUnguarded = server.isPooled && (probe?.stateAgeMs() ?? 0) > TRUSTED_MS
    return probe === undefined || isUnguarded ? undefined : stateSince(server, probe)
  }

  return {
    pool,
    plans: createPlans(),
    stateFor,
    /**
     * Commands for the transaction of a statement, which fail on a server that must not execute it.
     * @throws if the session must not execute it; it may be closed then
     */
    guardsFor(client: DatabaseClient, maxLagMs: Milliseconds | undefined): Buffer[] {
      // why: the probe's connection was replaced, and those of the pool lead to its last server
      probe?.refuseOther(client, pool.dropIdle)
      if (maxLagMs !== undefined && probe !== undefined) {
        // why: the connection may be newer than the last probe
        const words = lagProblem(stateFor(client), probe.stateAgeMs(), maxLagMs)
        if (words !== undefined) throw new UnsuitableServerError(`the replica ${words}`)
      }
      if (probe === undefined || probe.stateAgeMs() > TRUSTED_MS)
        return allowPrimary ? [] : [RECOVERY_GUARD]
      return probe.guardsFor(client)
    },
    observe: options.observe,
    now,
    /** Lends a connection to a check. @throws what `work` throws; if no connection can be made */
    lend: <T>(work: (read: ReadRows) => Promise<T>): Promise<T> =>
      withConnection(pool, client => work(query => readOnlyRows(client, CHECK_MS, query))),
  }
}
