/** What is read of the whole at the moment of a scrape. Knows nobody who has it. */
import type { PoolName } from './observation.ts'
import type { Bytes, Milliseconds, Seconds } from './terms.ts'

/** How a pool's connections are used at this moment. */
export interface PoolUse {
  readonly inUse: number
  readonly idle: number
  /** Callers that wait for one. */
  readonly waiting: number
  readonly max: number
}

/** A database that keys are looked up in, at this moment. */
export interface KeyDatabaseSeen {
  /** `host:port`, be it of the primary. */
  readonly replica: string
  /** False while look-ups pass it by, because the way there is broken. */
  readonly isReached: boolean
  /** What its role lacks behind a pooler, where no connection of it may be used. */
  readonly refusal: string | undefined
  /** Why organizations that look-ups find cannot be checked now, in words. */
  readonly checkFailure: string | undefined
  /** A bound that never understates, 0 for the primary; undefined is unknown. */
  readonly lagSeconds: Seconds | undefined
  /** Whether a look-up there would be answered; undefined until that can be told. */
  readonly counts: boolean | undefined
}

/** An organization as the operations port lists it. */
export interface BusyOrganization {
  readonly id: string
  /** Of the last minute. */
  readonly executionMs: Milliseconds
  readonly executing: number
  readonly waiting: number
}

/** What is read at the moment of a scrape, without waiting for anything. */
export interface Gauges {
  cache(): {
    readonly byteCount: Bytes
    readonly maxBytes: Bytes
    readonly entryCount: number
    readonly aliasByteCount: Bytes
  }
  pools(): ReadonlyArray<{ readonly pool: PoolName; readonly replica: string } & PoolUse>
  /** `host:port` of each, from the start. */
  readonly replicas: readonly string[]
  keyDatabases(): readonly KeyDatabaseSeen[]
  inFlight(): number
  /** Executions that wait for a slot. */
  queueLength(): number
  /** Organizations whose access rows were not valid in the last minute. */
  invalidAccessRowCount(): number
  /** What slow readers have not taken yet: in files, and of whole answers in memory. */
  unread(): { readonly spooledBytes: Bytes; readonly heldBytes: Bytes }
}
