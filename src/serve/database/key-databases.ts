/**
 * The databases for key look-ups, in order. The first reachable one within the lag limit is used. This file alone
 * decides about retry and fallback of look-ups. Each database has its pool, so that a saturated report pool does not
 * delay look-ups, its probe, and its health.
 */
import type { KeyAddress } from '../../config/addresses.ts'
import type { KeyDatabaseStatus } from '../../model/gauges.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { classify, isAnotherServer, isSilence, named } from './classify-error.ts'
import { UnsuitableServerError, wordsWithoutValues } from './classify-error.ts'
import { reachDatabase, readOnlyRows, type QueryRows, type ShortQuery } from './connection.ts'
import type { DatabaseClient } from './database-client.ts'
import { createPool } from './pool.ts'
import { createProbe, type Probe, type ProbeOptions } from './probe.ts'
import { createHealth, ofReplica } from './replica.ts'
import { lagMs, lagProblem, stateSince } from './peer-check.ts'

interface KeyDatabasesOptions extends Omit<ProbeOptions, 'connectionString'> {
  /** At least one. */
  readonly servers: readonly KeyAddress[]
  readonly poolSize: number
  readonly timeoutMs: Milliseconds
  readonly maxLagMs: Milliseconds
  /** Probes of the replicas of reports. Each other server gets a separate one. */
  readonly probes: readonly Probe[]
  /** Looks up a key that does not exist. */
  readonly check: (read: QueryRows) => Promise<unknown>
}

export type KeyDatabases = ReturnType<typeof createKeyDatabases>
type KeyDatabase = ReturnType<typeof createKeyDatabase>

const CHECK_EVERY_MS: Milliseconds = 2000

export function createKeyDatabases(options: KeyDatabasesOptions) {
  const members = options.servers.map(server => createKeyDatabase(server, options))
  let checks: NodeJS.Timeout | undefined

  /**
   * The result of the first database that responds. One is asked again if only the connection may be broken, or the
   * conflict has passed.
   * @param isWanted false: the result is no longer needed
   * @param among in order
   * @throws what the last one throws, or the last one that is new enough
   */
  async function firstAvailable<T>(
    use: (database: KeyDatabase) => Promise<T>,
    isWanted = (): boolean => true,
    // why: a database in doubt is asked last
    among: readonly KeyDatabase[] = members.toSorted((a, b) => doubtOf(a) - doubtOf(b)),
  ): Promise<T> {
    let failure: unknown
    for (const member of among) {
      const { health, name } = member
      if (health.state() === 'excluded') failure ??= named(name, health.reason())
      for (let tries = 1; health.state() !== 'excluded'; tries += 1) {
        try {
          return await use(member)
        } catch (error) {
          const { problem, remedy } = classify(error)
          failure = remedy === 'elsewhere' ? (failure ?? error) : error
          if (!isWanted() || problem.code === 'internal_error') throw error
          // why: the next database may not have the latest revocations
          if (tries < maxTries(error)) {
            // why: lets the pool notice other connections that the server has closed
            await new Promise(resolve => setImmediate(resolve))
            continue
          }
          if (remedy === 'transport') health.suspect(error)
          break
        }
      }
    }
    throw failure
  }

  /** Looks up in each database. @returns failures, by the name of the check in readiness */
  async function check(): Promise<Map<string, unknown>> {
    const failures = new Map<string, unknown>()
    const lookUpIn = (member: KeyDatabase): Promise<unknown> =>
      firstAvailable(({ lookUp }) => options.check(lookUp), undefined, [member]).catch(
        (error: unknown) => failures.set(`keys ${member.name}`, error),
      )
    await Promise.all(members.map(lookUpIn))
    return failures
  }

  return {
    start(): void {
      for (const one of members) one.start()
      // why: one that no request uses may have rejected the role, or work again
      checks = setInterval(() => void check(), CHECK_EVERY_MS).unref()
    },
    /**
     * Looks up keys on one that is within the lag limit.
     * @param isWanted false: the result is no longer needed
     * @throws what pg or the transport reports, the time-out, UnsuitableServerError
     */
    lookUp: <T>(use: (read: QueryRows) => Promise<T>, isWanted?: () => boolean): Promise<T> =>
      firstAvailable(({ lookUp }) => use(lookUp), isWanted),
    /** @throws what the last one throws */
    queryFirstAvailable: <T>(use: (read: QueryRows, replica: string) => Promise<T>): Promise<T> =>
      firstAvailable(({ read, name }) => use(read, name)),
    check,
    pools: () =>
      members.map(({ name, pool }) => ({ pool: 'keys' as const, replica: name, ...pool.use() })),
    /** The known status of each, in order, without waiting. */
    statuses: () => members.map(one => one.status()),
    async close(): Promise<void> {
      clearInterval(checks)
      await Promise.all(members.map(one => one.close()))
    },
  }
}

function doubtOf({ health }: KeyDatabase): number {
  return Number(health.reason() !== undefined)
}

/** How often a database is asked that fails with this error. */
function maxTries(error: unknown): number {
  // why: connections of one name may lead to several servers, and the first of each is refused
  if (isAnotherServer(error)) return 3
  const { remedy } = classify(error)
  return remedy === 'conflict' || (remedy === 'transport' && !isSilence(error)) ? 2 : 1
}

/** A look-up is valid if the lag of its server is within the limit. */
function createKeyDatabase({ name, url, replica }: KeyAddress, options: KeyDatabasesOptions) {
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
      if (client.peer.isPooled && replica?.isSameDatabase === false) probe = openProbe()
      // why: behind a pooler, a probe from before the connection may be sufficient
      if (lagProblemOf(client)) await probe.probeNow(connectTimeoutMs)
      probe.refuseOther(client)
    },
  })
  const health = createHealth(
    () => reachDatabase({ ...options, name: 'keys', connectionString: url }),
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

  const lagProblemOf = ({ peer }: DatabaseClient): string | undefined =>
    lagProblem(stateSince(peer, probe), probe.stateAgeMs(), maxLagMs)

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
    const startedAt = performance.now()
    try {
      const client = await pool.connect()
      try {
        const durationMs = performance.now() - startedAt
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
    /** Reads within the lag limit. @throws as `read`; UnsuitableServerError */
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
