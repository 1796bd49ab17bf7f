/**
 * The databases that keys are looked up in, in order: the first that is reached and not too far behind the
 * primary answers. A look-up whose connection broke is made once more on a new one. One that a conflict, the
 * transport or a busy server has spoilt goes to the next; with no other, a conflict is worth a second try.
 */
import type { KeyHash } from '../access/api-key.ts'
import type { FindOrganizations, FoundByKey } from '../access/organization-lookup.ts'
import type { AccessDefinition } from '../../definitions/definition.ts'
import { ofReplica } from '../../model/observation.ts'
import type { KeyDatabaseSeen, PoolUse } from '../../model/gauges.ts'
import type { Observe, PoolName } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { askAt, remedyOf } from './ask-keys.ts'
import { isSilence } from './classify-error.ts'
import { createKeyCircuit } from './key-circuit.ts'
import type { KeyCircuit } from './key-circuit.ts'
import { createKeyDatabase } from './key-database.ts'
import type { KeyDatabase } from './key-database.ts'
import { createKeyLag, KeysLagError } from './key-lag.ts'
import type { KeyLag } from './key-lag.ts'
import { ofDatabase } from './error-of-database.ts'
import { createProbe } from './probe.ts'
import { refusalOf } from './role-settings.ts'
import type { Watched } from './watched.ts'

export interface KeyDatabases {
  /** @throws whatever pg or the transport reports, the time-out, KeysLagError. */
  readonly find: FindOrganizations
  /** Of the first that tells. @see KeyDatabase.idType */
  idType(access?: AccessDefinition): Promise<string>
  pools(): Array<{ readonly pool: PoolName; readonly replica: string } & PoolUse>
  /** What is known of each, without waiting, in their order. */
  seen(): KeyDatabaseSeen[]
  close(): Promise<void>
}

export interface KeyServer {
  /** `host:port` */
  readonly name: string
  readonly url: string
  /** At the same host and port reports run: writable, nobody has said that it is the primary. */
  readonly replica:
    | {
        /** In `watched`. */
        readonly place: number
        readonly isSameDatabase: boolean
      }
    | undefined
}

interface Place {
  readonly name: string
  readonly database: KeyDatabase
  readonly circuit: KeyCircuit
  readonly lag: KeyLag
}

export function createKeyDatabases(options: {
  /** At least one. */
  readonly servers: readonly KeyServer[]
  /** The replicas that reports run on; of another server that needs it, keys have a probe of their own. */
  readonly watched: readonly Watched[]
  readonly allowPrimary: boolean
  /** @see createProbe */
  readonly heartbeat?: () => string | undefined
  readonly maxLagMs: Milliseconds
  /** Connections to each. */
  readonly poolSize: number
  readonly connectTimeoutMs: Milliseconds
  readonly timeoutMs: Milliseconds
  /** The one in use now. */
  readonly access: () => AccessDefinition
  readonly observe: Observe
  readonly now: Clock
  readonly random: () => number
}): KeyDatabases {
  const { connectTimeoutMs, allowPrimary, watched } = options
  const places = options.servers.map(({ name, url, replica }): Place => {
    const lag = createKeyLag({
      name,
      maxLagMs: options.maxLagMs,
      allowPrimary,
      replica: replica && { ...replica, watched: watched[replica.place]! },
      createProbe: () =>
        createProbe({
          connectionString: url,
          connectTimeoutMs,
          allowPrimary: true,
          heartbeat: options.heartbeat,
          // why: what is told of probes is told of the replicas that reports run on
          observe: () => {},
        }),
      lookMs: connectTimeoutMs,
    })
    const own = createKeyDatabase({
      ...options,
      connectionString: url,
      lag,
      onRefused: error => circuit.refused(error),
      observe: ofReplica(options.observe, name),
    })
    const database: KeyDatabase = {
      ...own,
      find: (...asked) => ofDatabase(name, own.find(...asked)),
      reach: () => ofDatabase(name, own.reach()),
    }
    const circuit = createKeyCircuit({
      tryIt: () => database.reach(),
      onSilence: () => database.dropIdle(),
      random: options.random,
    })
    return { name, database, lag, circuit }
  })

  async function find(
    hashes: readonly KeyHash[],
    isWanted: () => boolean = () => true,
  ): Promise<FoundByKey> {
    let failure: unknown
    const spoilt: Array<{ readonly place: Place; readonly mayPass: boolean }> = []
    for (const place of doubtedLast(places)) {
      const away = place.circuit.away()
      if (away !== undefined) {
        failure = away
        continue
      }
      try {
        return await askAt(place, hashes, isWanted)
      } catch (error) {
        failure = error
        if (error instanceof KeysLagError) continue
        const remedy = remedyOf(error)
        if (remedy === 'none' || !isWanted()) throw error
        // why: a connection that broke has had its second try
        spoilt.push({ place, mayPass: remedy === 'conflict' || isSilence(error) })
      }
    }
    const [only, ...others] = spoilt
    // why: the same one is asked once more only where no other can be
    const isAlone = only !== undefined && others.length === 0
    if (!isAlone || !only.mayPass || only.place.circuit.away() !== undefined) throw failure
    return askAt(only.place, hashes, isWanted, true)
  }

  return {
    find,
    async idType(access) {
      let failure: unknown
      for (const { database, circuit } of places) {
        if (circuit.away() !== undefined) continue
        try {
          return await database.idType(access)
        } catch (error) {
          failure = error
          if (remedyOf(error) === 'none') throw error
        }
      }
      throw failure ?? places[0]?.circuit.away()
    },
    pools: () =>
      places.map(({ name, database }) => ({ pool: 'keys', replica: name, ...database.pool() })),
    seen: () => places.map(seenOf),
    async close() {
      for (const { circuit } of places) circuit.close()
      await Promise.all(places.flatMap(({ database, lag }) => [database.close(), lag.close()]))
    },
  }
}

function seenOf({ name, database, circuit, lag }: Place): KeyDatabaseSeen {
  const isReached = circuit.away() === undefined && !circuit.isInDoubt()
  return {
    replica: name,
    isReached,
    refusal: refusalOf(circuit.away()),
    checkFailure: database.checkFailure(),
    lagSeconds: lag.seconds(),
    counts: isReached ? lag.counts() : false,
  }
}

/** In their order, but who said nothing when asked last. */
function doubtedLast(places: readonly Place[]): readonly Place[] {
  if (!places.some(({ circuit }) => circuit.isInDoubt())) return places
  return places.toSorted((a, b) => Number(a.circuit.isInDoubt()) - Number(b.circuit.isInDoubt()))
}
