/**
 * The databases for key look-ups, in order. The first reachable one within the lag limit is used. This file alone
 * decides about retry and fallback of look-ups.
 */
import type { Milliseconds } from '../../model/terms.ts'
import { classify, isAnotherServer, isSilence, named } from './classify-error.ts'
import type { ReadRows } from './connection.ts'
import { createKeyDatabase } from './key-database.ts'
import type { KeyDatabase, KeyDatabaseOptions, KeyServer } from './key-database.ts'

export type KeyDatabases = ReturnType<typeof createKeyDatabases>

const CHECK_EVERY_MS: Milliseconds = 2000

interface KeyDatabasesOptions extends KeyDatabaseOptions {
  /** At least one. */
  readonly servers: readonly KeyServer[]
  /** Looks up a key that does not exist. */
  readonly check: (read: ReadRows) => Promise<unknown>
}

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
          failure = classify(error).remedy === 'elsewhere' ? (failure ?? error) : error
          if (!isWanted() || classify(error).problem.code === 'internal_error') throw error
          // why: the next database may not have the latest revocations
          if (tries < maxTries(error)) {
            // why: lets the pool notice other connections that the server has closed
            await new Promise(resolve => setImmediate(resolve))
            continue
          }
          if (classify(error).remedy === 'transport') health.suspect(error)
          break
        }
      }
    }
    throw failure
  }

  /** Looks up in each database. @returns failures, by the name of the check in readiness */
  async function check(): Promise<Map<string, unknown>> {
    const failures = new Map<string, unknown>()
    const check = (member: KeyDatabase): Promise<unknown> =>
      firstAvailable(({ lookUp }) => options.check(lookUp), undefined, [member]).catch(
        (error: unknown) => failures.set(`keys ${member.name}`, error),
      )
    await Promise.all(members.map(check))
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
    lookUp: <T>(use: (read: ReadRows) => Promise<T>, isWanted?: () => boolean): Promise<T> =>
      firstAvailable(({ lookUp }) => use(lookUp), isWanted),
    /** @throws what the last one throws */
    queryFirstAvailable: <T>(use: (read: ReadRows, replica: string) => Promise<T>): Promise<T> =>
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
