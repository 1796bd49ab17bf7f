/** State that is read at a scrape. */
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
  /** False while the circuit breaker is open: look-ups use another database. */
  readonly isReached: boolean
  /** What its role lacks behind a pooler, where no connection of it may be used. */
  readonly refusal: string | undefined
  /** Why access rows of found organizations cannot be checked now, as text. */
  readonly checkFailure: string | undefined
  /** A bound that never understates, 0 for the primary; undefined is unknown. */
  readonly lagSeconds: Seconds | undefined
  /** Whether look-ups can use it; undefined while unknown. */
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

/** Read at a scrape, without waiting. */
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
  /** What slow clients have not read yet: in spill files, and of whole responses in memory. */
  unread(): { readonly spooledBytes: Bytes; readonly heldBytes: Bytes }
}
