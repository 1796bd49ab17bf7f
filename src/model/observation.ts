/**
 * The observations that code on the request's path reports; only `observability/` decides which become
 * metrics or log lines. Errors are only logged.
 */
import type { ProblemCode, RefusalReason } from './errors.ts'
import type { Bytes, CacheOutcome, Instant, Milliseconds, ReportFormat, Seconds } from './terms.ts'

export const ROUTES = ['ping', 'reports', 'report', 'metrics', 'schema', 'page', 'other'] as const
export type Route = (typeof ROUTES)[number]

export const POOLS = ['reports', 'keys', 'probe'] as const
export type PoolName = (typeof POOLS)[number]

export const EXECUTION_OUTCOMES = [
  'ok',
  'too_large',
  'cancelled',
  'unavailable',
  'refused',
  'queue_timeout',
  'spool_full',
  'timeout',
  'error',
] as const
export type ExecutionOutcome = (typeof EXECUTION_OUTCOMES)[number]

/** Closed: executions use the replica. Open: they do not. Half-open: a connection is being tried. */
export type CircuitState = 'closed' | 'open' | 'half-open'

/** Why an execution was retried: a conflict with replay, a broken connection, a writable or overloaded server. */
export const RETRY_REASONS = ['conflict', 'transport', 'elsewhere'] as const
export type RetryReason = (typeof RETRY_REASONS)[number]

/** Per-execution plan, or the plan that all executions of the statement on a connection share. */
export type PlanKind = 'own' | 'shared'

export const KEY_OUTCOMES = [
  'valid',
  'invalid',
  'missing',
  'locked',
  'unavailable',
  'invalid_row',
] as const
export type KeyOutcome = (typeof KEY_OUTCOMES)[number]

/** Why the gateway closed a connection: the limit was reached, too many responses 401, too many pipelined requests. */
export const CLOSE_REASONS = ['limit', 'unauthorized', 'pipelined'] as const
export type CloseReason = (typeof CLOSE_REASONS)[number]

/** Why an entry was evicted: to make space for others, the organization's share was exceeded, too old to serve. */
export const EVICTION_REASONS = ['space', 'share', 'expired'] as const
export type EvictionReason = (typeof EVICTION_REASONS)[number]

/**
 * The request that began an execution. Observers compare it by reference, since clients choose request ids, and must
 * not log it as a whole.
 */
export interface RequestOrigin {
  readonly requestId: string
}

export type Observation =
  | {
      readonly kind: 'request'
      readonly requestId: string
      /** Undefined if the request was rejected before it began. */
      readonly origin?: RequestOrigin
      /** Address of the peer: a client, or a proxy. */
      readonly peerAddress?: string | undefined
      /** `X-Forwarded-For` as received. */
      readonly forwardedFor?: string | string[] | undefined
      /** As received. */
      readonly traceparent?: string | string[] | undefined
      readonly method: string
      readonly route: Route
      /** The code of an existing report, so that clients cannot add label values. */
      readonly report?: string | undefined
      readonly status: number
      readonly problem: ProblemCode | undefined
      /** The internal error; only logged. */
      readonly cause?: unknown
      readonly cache?: CacheOutcome | undefined
      /** The format of a report. */
      readonly format?: ReportFormat | undefined
      readonly durationMs: Milliseconds
      /** Until the head was sent; undefined if none was. */
      readonly firstByteMs?: Milliseconds | undefined
      /** Age of a response from the cache. */
      readonly ageSeconds?: Seconds | undefined
      readonly sentBytes: Bytes
      /** Served without Koa. */
      readonly shortcut: boolean
      /** The connection closed before the end of the response. */
      readonly aborted: boolean
      readonly organizationId?: string | undefined
      /** Why the request was rejected before its execution. */
      readonly refusal?: RefusalReason | undefined
      /** `Retry-After` of the response. */
      readonly retryAfterSeconds?: Seconds | undefined
    }
  | { readonly kind: 'connection-closed'; readonly reason: CloseReason }
  | { readonly kind: 'key-checked'; readonly outcome: KeyOutcome }
  | {
      readonly kind: 'key-lookup'
      readonly keyCount: number
      readonly durationMs: Milliseconds
      readonly error: unknown
    }
  /** At most once a minute for each organization. */
  | {
      readonly kind: 'access-row-rejected'
      readonly organizationId: string | undefined
      readonly error: unknown
    }
  /** Only the first of consecutive failures: look-ups use the last results. */
  | {
      readonly kind: 'access-check-failed'
      readonly check: 'ids' | 'time zones'
      readonly error: unknown
      readonly replica?: string
    }
  /** The key database and this runtime disagree on a time zone's offset: minutes ahead of UTC at an instant. */
  | {
      readonly kind: 'time-zone-differs'
      readonly timeZone: string
      readonly at: Instant
      readonly databaseMinutes: number
      readonly runtimeMinutes: number
    }
  | {
      readonly kind: 'execution'
      /** The request that began it; others may have joined. */
      readonly origin?: RequestOrigin | undefined
      /** Process id of the PostgreSQL backend; undefined without a connection, and behind a pooler. */
      readonly backendPid?: number | undefined
      /** `Definition.name`. */
      readonly definition: string
      readonly outcome: ExecutionOutcome
      readonly plan: PlanKind
      /** Time in the queue, also if no slot was acquired. */
      readonly queueMs: Milliseconds
      /** Undefined if no slot was acquired. */
      readonly durationMs: Milliseconds | undefined
      /** Time from the slot until the server began to send the result; undefined without a result. */
      readonly resultAfterMs?: Milliseconds | undefined
      readonly rowCount: number
      readonly error: unknown
      /** Undefined if no replica was available. */
      readonly replica?: string
    }
  | {
      readonly kind: 'execution-retried'
      readonly origin?: RequestOrigin | undefined
      readonly definition: string
      readonly reason: RetryReason
      readonly error: unknown
      /** The replica that failed. */
      readonly replica: string
    }
  /** The negative cache prevented an execution: the same one failed seconds ago. */
  | { readonly kind: 'execution-spared'; readonly definition: string }
  /** Once per execution and column: values that no format can hold were sent as null. */
  | {
      readonly kind: 'values-nulled'
      readonly definition: string
      readonly column: string
      readonly valueCount: number
    }
  | {
      readonly kind: 'definition-refused'
      readonly definition: string
      readonly file: string
      /** The line of the error, if known. */
      readonly line: number | undefined
      readonly error: unknown
    }
  /** Key look-ups cannot use `sql/access/organizations.sql` or one of its rows. */
  | {
      readonly kind: 'organizations-rejected'
      readonly file: string
      readonly line: number | undefined
      readonly error: unknown
    }
  | { readonly kind: 'cache-evicted'; readonly reason: EvictionReason }
  | {
      readonly kind: 'connection-acquired'
      readonly pool: PoolName
      readonly durationMs: Milliseconds
      readonly origin?: RequestOrigin | undefined
      /** As of an execution. */
      readonly backendPid?: number | undefined
    }
  | {
      /** A pooler was detected. Reported once, and again if the missing settings change. */
      readonly kind: 'pooler-detected'
      readonly pool: PoolName
      readonly missingSettings: readonly MissingSetting[]
    }
  | {
      /** The limit of a role or its server is too low for the pools of all gateways. Reported when it changes. */
      readonly kind: 'connection-limit-low'
      readonly pool: PoolName
      /** What was found, what was expected, and the remedy. */
      readonly found: string
      readonly replica?: string
    }
  | {
      /** The privileges of the reports role changed. */
      readonly kind: 'write-privileges'
      /** Write privileges, each with the SQL that revokes it; undefined if there are none. */
      readonly found: string | undefined
      readonly replica?: string
    }
  | {
      readonly kind: 'connection-lost'
      readonly pool: PoolName
      readonly error: unknown
      readonly replica?: string
    }
  | {
      /** With each new connection over TLS: when the certificate of the server expires. */
      readonly kind: 'server-certificate'
      readonly pool: PoolName
      readonly expiresAt: Instant
      readonly replica?: string
    }
  | { readonly kind: 'replica-probed'; readonly state: ReplicaState; readonly replica?: string }
  | { readonly kind: 'replica-probe-failed'; readonly error: unknown; readonly replica?: string }
  | {
      readonly kind: 'circuit'
      readonly replica: string
      readonly state: CircuitState
      /** Why the circuit is open. */
      readonly error: unknown
    }
  | {
      readonly kind: 'definitions-loaded'
      readonly reportCount: number
      readonly metricCount: number
      readonly durationMs: Milliseconds
    }
  | {
      /** The definitions were read again on request. */
      readonly kind: 'definitions-reloaded'
      /** If there are any, the previous definitions are still used. */
      readonly findings: ReadonlyArray<{
        readonly file: string
        readonly line: number | undefined
        readonly message: string
      }>
      /** Files, as messages name them. */
      readonly added: readonly string[]
      readonly changed: readonly string[]
      readonly removed: readonly string[]
    }
  /** Changed definitions are used once a replica has validated them. */
  | { readonly kind: 'reload-waits' }
  | {
      readonly kind: 'listening'
      readonly server: 'api' | 'operations'
      readonly host: string
      readonly port: number
    }
  | { readonly kind: 'draining'; readonly signal: string; readonly delayMs: Milliseconds }
  | { readonly kind: 'stopped'; readonly durationMs: Milliseconds }
  | { readonly kind: 'process-error'; readonly error: unknown }
  /** The reader of the log stalled, and the log buffer is full. */
  | { readonly kind: 'log-lines-dropped'; readonly lineCount: number }

export type Observe = (observation: Observation) => void

/** A setting that a role lacks behind a pooler. */
export interface MissingSetting {
  readonly name: string
  readonly found: string
  readonly expected: string
  /** Results depend on the setting: connections without it are rejected. */
  readonly affectsResults: boolean
  /** The SQL that sets it for the role. */
  readonly remedySql: string
}

/** Adds `replica`, the `host:port` of a database, to each observation. */
export function ofReplica(observe: Observe, replica: string): Observe {
  return fact => observe({ ...fact, replica } as Observation)
}

/** The result of the last probe. */
export interface ReplicaState {
  readonly inRecovery: boolean
  /** In recovery, or a writable server that `ALLOW_PRIMARY` allows. */
  readonly usable: boolean
  /** The data is at least as new as this; undefined if unknown. */
  readonly dataAsOf: Instant | undefined
  /** An upper bound; undefined if unknown, never 0. */
  readonly lagSeconds: Seconds | undefined
  readonly replayPaused: boolean
  /** Why the product's heartbeat row cannot be read; the lag is unknown then. */
  readonly heartbeatError?: unknown
  readonly server?: ServerIdentity
}

/** Which server a connection has reached: `started` identifies it, `address` is for messages. */
export interface ServerIdentity {
  readonly started: string
  /** As the server sees it, such as `10.0.0.2:5432`. */
  readonly address: string
}
