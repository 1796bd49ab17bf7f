/**
 * The databases that keys are looked up in, in order: the first that is reached and not too far behind the
 * primary answers. The one place that decides about retry and fallback of look-ups.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyHash } from '../access/api-key.ts'
import type { FindOrganizations, FoundByKey } from '../access/organization-lookup.ts'
import type { AccessDefinition } from '../../definitions/definition.ts'
import { ofReplica } from '../../model/observation.ts'
import type { KeyDatabaseSeen, PoolUse } from '../../model/gauges.ts'
import type { PoolName } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { classify, isBusy, isSilence } from './classify-error.ts'
import { createKeyDatabase } from './key-database.ts'
import type { KeyDatabase, KeyDatabaseOptions } from './key-database.ts'
import { createKeyLag, KeysLagError } from './key-lag.ts'
import type { KeyLag } from './key-lag.ts'
import { createProbe } from './probe.ts'
import type { ProbedServer } from './probe.ts'
import { refusalOf } from './session-settings.ts'

export interface KeyDatabases {
  /** @throws what pg or the transport reports, the time-out, KeysLagError. */
  readonly find: FindOrganizations
  /** Of the first that tells. @see KeyDatabase.idType */
  idType(access?: AccessDefinition): Promise<string>
  pools(): Array<{ readonly pool: PoolName; readonly replica: string } & PoolUse>
  /** What is known of each, without waiting, in their order. */
  seen(): KeyDatabaseSeen[]
  close(): Promise<void>
}

interface KeyServer {
  /** `host:port` */
  readonly name: string
  readonly url: string
  /** Reports are executed at the same host and port: if it is writable, it need not be the primary. */
  readonly replica:
    | {
        /** In `replicas`. */
        readonly index: number
        readonly isSameDatabase: boolean
      }
    | undefined
}

interface Member {
  readonly name: string
  readonly database: KeyDatabase
  readonly circuit: CircuitBreaker
  readonly lag: KeyLag
}

// why: one connection may break by itself
const FAILURES_TO_OPEN = 2
const FIRST_RETRY_MS: Milliseconds = 500
const LAST_RETRY_MS: Milliseconds = 750

interface KeyDatabasesOptions extends Omit<KeyDatabaseOptions, 'connectionString' | 'lag'> {
  /** At least one. */
  readonly servers: readonly KeyServer[]
  /** Where reports are executed. Another server that needs a probe gets one for keys. */
  readonly replicas: readonly ProbedServer[]
  readonly allowPrimary: boolean
  /** @see createProbe */
  readonly heartbeat?: () => string | undefined
  readonly maxLagMs: Milliseconds
  /** From 0 to 1. */
  readonly random: () => number
}

export function createKeyDatabases(options: KeyDatabasesOptions): KeyDatabases {
  const { connectTimeoutMs, allowPrimary, replicas, random } = options
  const closing = new AbortController()
  const members = options.servers.map(open)

  function open({ name, url, replica }: KeyServer): Member {
    const lag = createKeyLag({
      name,
      maxLagMs: options.maxLagMs,
      allowPrimary,
      replica: replica && { ...replica, probe: replicas[replica.index]! },
      createProbe: () =>
        createProbe({
          connectionString: url,
          connectTimeoutMs,
          allowPrimary: true,
          heartbeat: options.heartbeat,
          // why: metrics and log lines of probes are those of the replicas of reports
          observe: () => {},
        }),
      probeMs: connectTimeoutMs,
    })
    const database = createKeyDatabase({
      ...options,
      connectionString: url,
      lag,
      onRefused: error => circuit.refused(error),
      observe: ofReplica(options.observe, name),
    })
    const circuit: CircuitBreaker = createCircuitBreaker({
      failuresToOpen: FAILURES_TO_OPEN,
      tryConnection: () => named(name, database.reach()),
      onOpen: () => database.dropIdle(),
      onState: state => state === 'open' && void tryLater(circuit),
      now: options.now,
      random,
    })
    return { name, database, lag, circuit }
  }

  async function tryLater(circuit: CircuitBreaker): Promise<void> {
    const waitMs = FIRST_RETRY_MS + random() * (LAST_RETRY_MS - FIRST_RETRY_MS)
    await sleep(waitMs, undefined, { signal: closing.signal }).then(
      () => circuit.probeAnswered(),
      () => undefined,
    )
  }

  async function find(
    hashes: readonly KeyHash[],
    isWanted: () => boolean = () => true,
  ): Promise<FoundByKey> {
    let failure: unknown
    const failed: Array<{ readonly member: Member; readonly mayPass: boolean }> = []
    // why: in doubt, another is asked first
    for (const member of members.toSorted((a, b) => doubtOf(a) - doubtOf(b))) {
      if (member.circuit.state() !== 'closed') {
        failure = member.circuit.reason()
        continue
      }
      try {
        return await ask(member, hashes, isWanted)
      } catch (error) {
        failure = error
        if (error instanceof KeysLagError) continue
        const remedy = remedyOf(error)
        if (remedy === 'none' || !isWanted()) throw error
        // why: a connection that broke has had its retry
        failed.push({ member, mayPass: remedy === 'conflict' || isSilence(error) })
      }
    }
    const [only, ...others] = failed
    // why: the same one is asked again only if no other can be
    if (!only?.mayPass || others.length > 0 || only.member.circuit.state() !== 'closed') {
      throw failure
    }
    return ask(only.member, hashes, isWanted, true)
  }

  return {
    find,
    async idType(access) {
      let failure: unknown
      for (const { database, circuit } of members) {
        if (circuit.state() !== 'closed') continue
        try {
          return await database.idType(access)
        } catch (error) {
          failure = error
          if (remedyOf(error) === 'none') throw error
        }
      }
      throw failure ?? members[0]?.circuit.reason()
    },
    pools: () =>
      members.map(({ name, database }) => ({ pool: 'keys', replica: name, ...database.pool() })),
    seen: () => members.map(stateOf),
    async close() {
      closing.abort()
      await Promise.all(members.flatMap(({ database, lag }) => [database.close(), lag.close()]))
    },
  }
}

/** If its connection broke, retries on another. @throws what pg or the transport reports, KeysLagError. */
async function ask(
  member: Member,
  hashes: readonly KeyHash[],
  isWanted: () => boolean,
  isRetry = false,
): Promise<FoundByKey> {
  const { name, database, circuit } = member
  try {
    const found = await named(name, database.find(hashes))
    circuit.answered()
    return found
  } catch (error) {
    if (remedyOf(error) !== 'transport') throw error
    const isSilent = isSilence(error)
    // why: it may have been one connection, and the next database know less of what is revoked
    if (!isRetry && !isSilent && isWanted()) {
      // why: if the server has ended others, too, the pool has heard of it by then
      await new Promise(resolve => setImmediate(resolve))
      return ask(member, hashes, isWanted, true)
    }
    circuit.failed(error)
    if (isSilent) {
      // why: what connections there are may be as silent
      database.dropIdle()
      circuit.doubt()
    }
    throw error
  }
}

function stateOf({ name, database, circuit, lag }: Member): KeyDatabaseSeen {
  const isReached = circuit.state() === 'closed' && !circuit.isInDoubt()
  return {
    replica: name,
    isReached,
    refusal: refusalOf(circuit.reason()),
    checkFailure: database.checkFailure(),
    lagSeconds: lag.seconds(),
    counts: isReached ? lag.counts() : false,
  }
}

function doubtOf({ circuit }: Member): number {
  return Number(circuit.isInDoubt())
}

/** KeysLagError has none: it is no error of the database. */
function remedyOf(error: unknown) {
  if (error instanceof KeysLagError) return undefined
  return isBusy(error) ? 'elsewhere' : classify(error).remedy
}

/** @throws what was thrown, with the database's name as its `replica`: pg's own errors say an address at most */
async function named<T>(name: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { replica: name }) : error
  }
}
