/**
 * The databases for key look-ups, in order. The first reachable one within the lag limit is used. This file alone
 * decides about retry and fallback of look-ups.
 */
import { classify, isAnotherServer, isBusy, isSilence } from './classify-error.ts'
import { named } from './error-words.ts'
import { createKeyDatabase, KeysLagError } from './key-database.ts'
import type { KeyDatabase, KeyDatabaseOptions, KeyServer } from './key-database.ts'
import type { ReadRows } from './row-query.ts'
import { refusalOf } from './session-settings.ts'

export type KeyDatabases = ReturnType<typeof createKeyDatabases>

interface KeyDatabasesOptions extends KeyDatabaseOptions {
  /** At least one. */
  readonly servers: readonly KeyServer[]
}

export function createKeyDatabases(options: KeyDatabasesOptions) {
  const members = options.servers.map(server => createKeyDatabase(server, options))

  /**
   * The result of the first database that responds. A database is asked twice if only the connection may be broken, or if
   * no other one is available.
   * @param isWanted false: the result is no longer needed
   * @throws what the last one throws
   */
  async function firstAvailable<T>(
    use: (database: KeyDatabase) => Promise<T>,
    isWanted = (): boolean => true,
  ): Promise<T> {
    const failed = new Map<KeyDatabase, unknown>()
    let failure: unknown
    // why: a database in doubt is asked last
    for (const member of members.toSorted((a, b) => doubtOf(a) - doubtOf(b))) {
      const { health, name } = member
      if (health.state() === 'excluded') failure = named(name, health.reason())
      for (let tries = 1; health.state() !== 'excluded'; tries += 1) {
        try {
          return await use(member)
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
    const mayPass = remedyOf(error) === 'conflict' || isSilence(error) || isAnotherServer(error)
    const isAlone = only !== undefined && others.length === 0
    if (!isAlone || !mayPass || only.health.state() === 'excluded') throw failure
    return use(only)
  }

  return {
    start: (): void => members.forEach(one => one.start()),
    /**
     * Looks up keys on one that is within the lag limit.
     * @param isWanted false: the result is no longer needed
     * @throws what pg or the transport reports, the time-out, KeysLagError
     */
    lookUp: <T>(use: (read: ReadRows) => Promise<T>, isWanted?: () => boolean): Promise<T> =>
      firstAvailable(({ lookUp }) => use(lookUp), isWanted),
    /** @throws what the last one throws */
    queryFirstAvailable: <T>(use: (read: ReadRows, replica: string) => Promise<T>): Promise<T> =>
      firstAvailable(({ read, name }) => use(read, name)),
    /** Executes a look-up in each database. @returns failures, by the name of the check in readiness */
    async check(use: (read: ReadRows) => Promise<unknown>): Promise<Map<string, unknown>> {
      const failures = new Map<string, unknown>()
      const check = ({ name, lookUp }: KeyDatabase): Promise<unknown> =>
        use(lookUp).catch((error: unknown) => failures.set(`keys ${name}`, error))
      await Promise.all(members.map(check))
      return failures
    },
    pools: () =>
      members.map(({ name, pool }) => ({ pool: 'keys' as const, replica: name, ...pool.use() })),
    /** The known status of each, in order, without waiting. */
    statuses: () => members.map(one => one.status()),
    close: async (): Promise<void> => void (await Promise.all(members.map(one => one.close()))),
  }
}

function doubtOf({ health }: KeyDatabase): number {
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
