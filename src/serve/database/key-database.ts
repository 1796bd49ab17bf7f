/**
 * A database for key look-ups: its pool, so that a saturated report pool does not delay them, its probe, and whether it
 * may be used. A look-up is valid if the lag of its server is within the limit.
 */
import type { KeyDatabaseStatus } from '../../model/gauges.ts'
import { monotonicClock } from '../../model/clock.ts'
import { ofReplica } from '../../model/observation.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { UnsuitableServerError, named, wordsWithoutValues } from './classify-error.ts'
import { reachServer, readOnlyRows, type ShortQuery } from './connection.ts'
import type { DatabaseClient } from './database-client.ts'
import { createHealth } from './health.ts'
import { createPool } from './pool.ts'
import { createProbe, lagMs, stateSince, type Probe, type ProbeOptions } from './probe.ts'
import { lagProblem } from './replica-choice.ts'

export interface KeyServer {
  /** `host:port` */
  readonly name: string
  readonly url: string
  /** The replica at the same host and port. If it is writable, it is not assumed to be the primary. */
  readonly replica:
    | {
        /** In `probes`. */
        readonly index: number
        readonly isSameDatabase: boolean
      }
    | undefined
}

export interface KeyDatabaseOptions extends Omit<ProbeOptions, 'connectionString'> {
  readonly poolSize: number
  readonly timeoutMs: Milliseconds
  readonly maxLagMs: Milliseconds
  /** Of the replicas of reports. Each other server gets a separate one. */
  readonly probes: readonly Probe[]
}

export type KeyDatabase = ReturnType<typeof createKeyDatabase>

export function createKeyDatabase({ name, url, replica }: KeyServer, options: KeyDatabaseOptions) {
  const { connectTimeoutMs, timeoutMs, maxLagMs, poolSize } = options
  const observe = ofReplica(options.observe, name)
  const pool = createPool({
    ...options,
    name: 'keys',
    connectionString: url,
    max: poolSize,
    observe,
    async accept(client) {
      // why: databases of a pooler may be on several servers
      if (client.server.isPooled && replica?.isSameDatabase === false) probe = openProbe()
      // why: behind a pooler, a probe from before the connection may be sufficient
      if (lagProblemOf(client)) await probe.probeNow(connectTimeoutMs)
      probe.refuseOther(client)
    },
  })
  const health = createHealth(
    () => reachServer('keys', { ...options, connectionString: url }),
    state => void (state === 'usable' || pool.dropIdle()),
  )
  let ownProbe: Probe | undefined
  const sharedProbe = replica && options.probes[replica.index]
  let probe: Probe = sharedProbe ?? openProbe()
  sharedProbe?.watch(health)
  /** Why the last look-up failed, if the lag was not the reason. */
  let failure: unknown

  /** why: metrics and log lines about probes cover only the replicas of reports */
  function openProbe(): Probe {
    if (ownProbe !== undefined) return ownProbe
    const own = { connectionString: url, allowPrimary: true, observe: () => {} }
    ownProbe = createProbe({ ...options, ...own })
    ownProbe.watch(health)
    return ownProbe
  }

  const lagProblemOf = ({ server }: DatabaseClient): string | undefined =>
    lagProblem(stateSince(server, probe), probe.stateAgeMs(), maxLagMs)

  /** @throws UnsuitableServerError if a look-up there is not valid */
  function guardsFor(client: DatabaseClient): Buffer[] {
    probe.refuseOther(client, pool.dropIdle)
    const words = lagProblemOf(client)
    if (words !== undefined) throw new UnsuitableServerError(`${name} ${words}`)
    return probe.guardsFor(client)
  }

  /** @param guardsOf undefined: whatever the lag of the server */
  async function execute(
    query: ShortQuery,
    guardsOf?: (client: DatabaseClient) => Buffer[],
  ): Promise<RawField[][]> {
    const startedAt = monotonicClock()
    try {
      const client = await pool.connect()
      try {
        const durationMs = monotonicClock() - startedAt
        observe({ kind: 'connection-acquired', pool: 'keys', durationMs })
        if (guardsOf !== undefined && lagProblemOf(client) !== undefined) await probe.renew()
        const rows = await readOnlyRows(client, timeoutMs, query, guardsOf?.(client))
        if (guardsOf !== undefined) failure = undefined
        return rows
      } finally {
        client.giveBack()
      }
    } catch (error) {
      if (guardsOf !== undefined) {
        failure = error instanceof UnsuitableServerError ? undefined : error
        probe.statementFailed(error)
      }
      throw named(name, error)
    }
  }

  return {
    name,
    pool,
    health,
    /** Probes its server from now on. */
    start: (): void => probe.probe(),
    /** @throws what pg or the transport reports, the time-out */
    read: (query: ShortQuery): Promise<RawField[][]> => execute(query),
    /** As well, within the lag limit. @throws UnsuitableServerError, too */
    lookUp: (query: ShortQuery): Promise<RawField[][]> => execute(query, guardsFor),
    /** What is known, without waiting. */
    status(): KeyDatabaseStatus {
      const isReached = health.reason() === undefined
      const lastError = failure ?? health.reason()
      const state = probe.state()
      const lag = lagMs(state, probe.stateAgeMs())
      return {
        replica: name,
        isReached,
        lookUpFailure: lastError === undefined ? undefined : wordsWithoutValues(lastError),
        checkFailure: probe.otherServer(),
        lagSeconds: Number.isFinite(lag) ? lag / 1000 : undefined,
        isUsable: isReached && failure === undefined ? state && lag <= maxLagMs : false,
      }
    },
    close: async (): Promise<void> => void (await Promise.all([pool.end(), ownProbe?.stop()])),
  }
}
