/** State that is read at a scrape. */
import type { PoolName } from './observation.ts'
import type { Bytes, Milliseconds, Seconds } from './terms.ts'

/** A condition for receiving traffic. */
export interface Check {
  /** The printed name, for example `definitions`. */
  readonly name: string
  readonly ok: boolean
  /** Works with reduced guarantees; does not fail readiness. */
  readonly degraded?: boolean
  /** Details for people. */
  readonly reason?: string | undefined
}

/** Such as `[+]keys ok`. */
export function checkLine({ name, ok, degraded, reason }: Check): string {
  if (!ok) return `[-]${name} failed: ${reason ?? 'unknown'}`
  return `[+]${name} ${degraded ? 'degraded' : 'ok'}${reason === undefined ? '' : `: ${reason}`}`
}

/** How a pool's connections are used at this moment. */
export interface PoolUse {
  readonly inUse: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
  readonly max: number
}

/** The state of a database in which keys are looked up. */
export interface KeyDatabaseStatus {
  /** `host:port`, also if it is the primary. */
  readonly replica: string
  /** False while the circuit breaker is open: look-ups use another database. */
  readonly isReached: boolean
  /** Why the last look-up failed, if the lag was not the reason. */
  readonly lookUpFailure: string | undefined
  /** Why the access rows of organizations cannot be checked now. */
  readonly checkFailure: string | undefined
  /** An upper bound, 0 for the primary; undefined if unknown. */
  readonly lagSeconds: Seconds | undefined
  /** Whether look-ups can use it; undefined while unknown. */
  readonly isUsable: boolean | undefined
}

/** An organization as the operations port lists it. */
export interface BusyOrganization {
  readonly id: string
  /** Execution time in the last minute. */
  readonly executionMs: Milliseconds
  readonly executing: number
  readonly waiting: number
}

/** The limits of a definition in use. */
export interface DefinitionLimits {
  /** `Definition.name`. */
  readonly name: string
  readonly timeoutMs: Milliseconds
  /** Undefined for a file of metrics, which has one row. */
  readonly maxRows?: number | undefined
}

/** Read at a scrape, without waiting. */
export interface Gauges {
  /** The checks of `/readyz`: whether each is ok or degraded. */
  checks(): ReadonlyArray<{ readonly name: string; readonly ok: boolean }>
  definitions(): readonly DefinitionLimits[]
  /** Definitions that the replica refused at their last dry run. */
  refusedDefinitionCount(): number
  /** The largest part, 0 to 1, of all execution time in the last minute that one organization has. */
  busiestRatio(): number
  cache(): {
    readonly byteCount: Bytes
    readonly maxBytes: Bytes
    readonly entryCount: number
    readonly aliasByteCount: Bytes
  }
  pools(): ReadonlyArray<{ readonly pool: PoolName; readonly replica: string } & PoolUse>
  /** `host:port` of each configured replica. */
  readonly replicas: readonly string[]
  keyDatabases(): readonly KeyDatabaseStatus[]
  inFlight(): number
  /** Executions that wait for a slot. */
  queueLength(): number
  /** Organizations whose access rows were not valid in the last minute. */
  invalidAccessRowCount(): number
  /** Bytes of responses that are being written or sent: in files, and in memory. */
  bufferedBytes(): {
    readonly spooledBytes: Bytes
    readonly maxSpooledBytes: Bytes
    readonly heldBytes: Bytes
  }
}
