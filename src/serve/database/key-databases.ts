/**
 * The databases for key look-ups, in order. The first reachable one within the lag limit is used. This file alone
 * decides about retry and fallback of look-ups.
 */
import type { KeyHash } from '../access/api-key.ts'
import type { OrganizationsByKey } from '../access/organization-lookup.ts'
import { ofReplica } from '../../model/observation.ts'
import type { KeyDatabaseStatus } from '../../model/gauges.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { classify, isAnotherServer, isBusy, isSilence } from './classify-error.ts'
import { named, wordsOf } from './error-words.ts'
import { createHealth } from './health.ts'
import type { Health } from './health.ts'
import { createKeyDatabase } from './key-database.ts'
import type { KeyDatabase, KeyDatabaseOptions } from './key-database.ts'
import { createKeyLag, KeysLagError } from './key-lag.ts'
import type { KeyLagOptions, KeyServer } from './key-lag.ts'
import { refusalOf } from './session-settings.ts'

export type KeyDatabases = ReturnType<typeof createKeyDatabases>

type Member = ReturnType<typeof openMember>

const WANTED = (): boolean => true

/** The hash of no key. */
const NO_KEY: KeyHash = '00'.repeat(32)

/** A look-up without keys follows after this time without others. */
const PROBE_MS: Milliseconds = 1000
/** Half of it to all of it is waited until a connection is tried again. */
const WAIT_MS: Milliseconds = 750
const TICK_MS: Milliseconds = 100

interface KeyDatabasesOptions
  extends Omit<KeyDatabaseOptions, 'connectionString' | 'lag'>, KeyLagOptions {
  /** At least one. */
  readonly servers: readonly KeyServer[]
  /** From 0 to 1. */
  readonly random: () => number
}

export function createKeyDatabases(options: KeyDatabasesOptions) {
  const members = options.servers.map(server => openMember(server, options))
  const probing = setInterval(() => members.forEach(probe), TICK_MS).unref()

  /**
   * The result of the first database that responds.
   * @param failed gets the errors of those that have failed, except for KeysLagError
   * @throws what the last one throws
   */
  async function firstAvailable<T>(
    use: (member: Member) => Promise<T>,
    isWanted = WANTED,
    failed = new Map<Member, unknown>(),
  ): Promise<T> {
    let failure: unknown
    // why: a database in doubt is tried last
    for (const member of members.toSorted((a, b) => doubtOf(a) - doubtOf(b))) {
      if (member.health.state() === 'excluded') {
        failure = member.health.reason()
        continue
      }
      try {
        return await use(member)
      } catch (error) {
        failure = error
        if (error instanceof KeysLagError) continue
        if (remedyOf(error) === 'none' || !isWanted()) throw error
        failed.set(member, error)
      }
    }
    throw failure
  }

  async function find(hashes: readonly KeyHash[], isWanted = WANTED): Promise<OrganizationsByKey> {
    const failed = new Map<Member, unknown>()
    try {
      return await firstAvailable(member => ask(member, hashes, isWanted), isWanted, failed)
    } catch (error) {
      const [[only, cause] = [], ...others] = failed
      // why: retries on the same database only if no other is available
      if (!only || others.length > 0 || !isWanted()) throw error
      // why: a broken connection was retried already
      const mayPass = remedyOf(cause) === 'conflict' || isSilence(cause) || isAnotherServer(cause)
      if (!mayPass || only.health.state() === 'excluded') throw error
      return ask(only, hashes, isWanted, true)
    }
  }

  return {
    /** @throws what pg or the transport reports, the time-out, KeysLagError. */
    find,
    /** @throws what the last one throws */
    queryFirstAvailable: <T>(
      query: (database: KeyDatabase, replica: string) => Promise<T>,
    ): Promise<T> => firstAvailable(({ database, name }) => query(database, name)),
    /** Executes the key look-up in each database. @returns failures, by the name of the check in readiness */
    async check(): Promise<Map<string, unknown>> {
      const failures = new Map<string, unknown>()
      await Promise.all(
        members.map(({ name, database }) =>
          database.find([NO_KEY]).catch((error: unknown) => failures.set(`keys ${name}`, error)),
        ),
      )
      return failures
    },
    pools: () =>
      members.map(({ name, database }) => ({
        pool: 'keys' as const,
        replica: name,
        ...database.pool.use(),
      })),
    /** The known status of each, in order, without waiting. */
    statuses: (): KeyDatabaseStatus[] => members.map(stateOf),
    async close(): Promise<void> {
      clearInterval(probing)
      await Promise.all(members.flatMap(({ database, lag }) => [database.pool.end(), lag.close()]))
    },
  }
}

function openMember(server: KeyServer, options: KeyDatabasesOptions) {
  const { name, url } = server
  const lag = createKeyLag(server, options)
  const database = createKeyDatabase({
    ...options,
    connectionString: url,
    lag,
    observe: ofReplica(options.observe, name),
  })
  const health: Health = createHealth({
    first: 'usable',
    tryConnection: async () => void (await named(name, database.read({ text: 'select' }))),
    onChange: state => void (state === 'usable' || database.pool.dropIdle()),
    firstWaitMs: WAIT_MS,
    longestWaitMs: WAIT_MS,
    now: options.now,
    random: options.random,
  })
  /** Why the last look-up failed, if the lag was not the reason. */
  const failure: unknown = undefined
  return { name, database, lag, health, failure, isProbed: false }
}

/** If the connection broke, retries on another one. @throws what pg or the transport reports, KeysLagError. */
async function ask(
  member: Member,
  hashes: readonly KeyHash[],
  isWanted = WANTED,
  isRetry = false,
): Promise<OrganizationsByKey> {
  const { name, database, health } = member
  try {
    const found = await named(name, database.find(hashes))
    health.responded()
    member.failure = undefined
    return found
  } catch (error) {
    member.failure = error instanceof KeysLagError ? undefined : error
    if (refusalOf(error) !== undefined) health.exclude(error)
    const mayReachProbed = isAnotherServer(error) && !isRetry && isWanted()
    if (remedyOf(error) !== 'transport' && !mayReachProbed) throw error
    // why: perhaps only this connection broke, and the next database may not have the latest revocations
    if (!isRetry && !isSilence(error) && isWanted()) {
      // why: lets the pool notice other connections that the server has closed
      await new Promise(resolve => setImmediate(resolve))
      return ask(member, hashes, isWanted, true)
    }
    health.suspect(error)
    throw error
  }
}

/** Without requests, nothing else shows whether look-ups succeed. */
function probe(member: Member): void {
  const { health } = member
  if (health.state() !== 'usable') return health.retry()
  if (member.isProbed || !health.isQuiet(PROBE_MS)) return
  member.isProbed = true
  void ask(member, [])
    .catch(() => undefined)
    .then(() => (member.isProbed = false))
}

function stateOf({ name, health, lag, failure }: Member): KeyDatabaseStatus {
  const isReached = health.state() === 'usable' && !health.isInDoubt()
  const lastError = failure ?? health.reason()
  return {
    replica: name,
    isReached,
    refusal: refusalOf(health.reason()),
    lookUpFailure: lastError === undefined ? undefined : wordsOf(lastError),
    checkFailure: lag.otherServer(),
    lagSeconds: lag.seconds(),
    isUsable: isReached && failure === undefined ? lag.isUsable() : false,
  }
}

function doubtOf({ health }: Member): number {
  return Number(health.state() !== 'usable' || health.isInDoubt())
}

/** Undefined for KeysLagError, which is no error of the database. */
function remedyOf(error: unknown) {
  if (error instanceof KeysLagError) return undefined
  return isBusy(error) ? 'elsewhere' : classify(error).remedy
}
