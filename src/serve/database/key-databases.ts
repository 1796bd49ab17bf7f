/**
 * The databases for key look-ups, in order. The first reachable one within the lag limit is used. This file alone
 * decides about retry and fallback of look-ups.
 */
import type { KeyHash } from '../access/api-key.ts'
import type { OrganizationsByKey } from '../access/organization-lookup.ts'
import { ofReplica } from '../../model/observation.ts'
import type { KeyDatabaseStatus } from '../../model/gauges.ts'
import { classify, isAnotherServer, isBusy, isSilence } from './classify-error.ts'
import { named, wordsOf } from './error-words.ts'
import { createHealth } from './health.ts'
import { createKeyDatabase } from './key-database.ts'
import type { KeyDatabase, KeyDatabaseOptions } from './key-database.ts'
import { createKeyLag, KeysLagError } from './key-lag.ts'
import type { KeyLagOptions, KeyServer } from './key-lag.ts'
import { refusalOf } from './session-settings.ts'

export type KeyDatabases = ReturnType<typeof createKeyDatabases>

type Member = ReturnType<typeof openMember>

/** The hash of no key. */
const NO_KEY: KeyHash = '00'.repeat(32)

interface KeyDatabasesOptions
  extends Omit<KeyDatabaseOptions, 'connectionString' | 'lag'>, KeyLagOptions {
  /** At least one. */
  readonly servers: readonly KeyServer[]
}

export function createKeyDatabases(options: KeyDatabasesOptions) {
  const members = options.servers.map(server => openMember(server, options))

  /**
   * The result of the first database that responds. A database is asked twice if only the connection may be broken, or if
   * no other one is available.
   * @param isWanted false: the result is no longer needed
   * @throws what the last one throws
   */
  async function firstAvailable<T>(
    use: (member: Member) => Promise<T>,
    isWanted = (): boolean => true,
  ): Promise<T> {
    const failed = new Map<Member, unknown>()
    let failure: unknown
    // why: a database in doubt is asked last
    for (const member of members.toSorted((a, b) => doubtOf(a) - doubtOf(b))) {
      const { health, name } = member
      if (health.state() === 'excluded') failure = named(name, health.reason())
      for (let tries = 1; health.state() !== 'excluded'; tries += 1) {
        try {
          return await ask(member, use)
        } catch (error) {
          failure = error
          if (error instanceof KeysLagError) break
          // why: perhaps only this connection broke, and the next database may not have the latest revocations
          const isTriedAgain = tries === 1 && isBroken(error) && isWanted()
          if (!isTriedAgain && isUnreached(error)) health.suspect(error)
          if (remedyOf(error) === 'none' || !isWanted()) throw error
          failed.set(member, error)
          if (!isTriedAgain) break
          // why: lets the pool notice other connections that the server has closed
          await new Promise(resolve => setImmediate(resolve))
        }
      }
    }
    const [[only, error] = [], ...others] = failed
    const mayPass = others.length === 0 && (remedyOf(error) === 'conflict' || isSilence(error))
    if (!only || !mayPass || only.health.state() === 'excluded') throw failure
    return ask(only, use)
  }

  return {
    /** @throws what pg or the transport reports, the time-out, KeysLagError. */
    find: (hashes: readonly KeyHash[], isWanted?: () => boolean): Promise<OrganizationsByKey> =>
      firstAvailable(({ database }) => database.find(hashes), isWanted),
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
    statuses: (): KeyDatabaseStatus[] => members.map(statusOf),
    close: async (): Promise<void> =>
      void (await Promise.all(
        members.flatMap(({ database, lag }) => [database.pool.end(), lag.close()]),
      )),
  }
}

function openMember(server: KeyServer, options: KeyDatabasesOptions) {
  const { name, url } = server
  const lag = createKeyLag(server, options)
  const observe = ofReplica(options.observe, name)
  const database = createKeyDatabase({ ...options, connectionString: url, lag, observe })
  const health = createHealth({
    first: 'usable',
    random: options.random,
    tryConnection: database.pool.reach,
    onChange: state => void (state === 'usable' || database.pool.dropIdle()),
  })
  lag.watch(health)
  /** Why the last look-up failed, if the lag was not the reason. */
  const failure: unknown = undefined
  return { name, database, lag, health, failure }
}

/** @throws what `use` throws, with the name of the database */
async function ask<T>(member: Member, use: (member: Member) => Promise<T>): Promise<T> {
  try {
    const result = await use(member)
    member.failure = undefined
    return result
  } catch (error) {
    member.failure = error instanceof KeysLagError ? undefined : error
    throw named(member.name, error)
  }
}

function statusOf({ name, health, lag, failure }: Member): KeyDatabaseStatus {
  const isReached = health.state() === 'usable'
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
  return Number(health.isInDoubt())
}

/** No connection can be used. */
function isUnreached(error: unknown): boolean {
  return remedyOf(error) === 'transport' || refusalOf(error) !== undefined
}

/** The connection cannot be used, but perhaps another one. */
function isBroken(error: unknown): boolean {
  return (remedyOf(error) === 'transport' && !isSilence(error)) || isAnotherServer(error)
}

/** Undefined for KeysLagError, which is no error of the database. */
function remedyOf(error: unknown) {
  if (error instanceof KeysLagError) return undefined
  return isBusy(error) ? 'elsewhere' : classify(error).remedy
}
