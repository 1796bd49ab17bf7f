/**
 * The observations that code on the request's path reports; only `observe/` decides which become
 * metrics or log lines. Errors are only logged.
 */
import type { ProblemCode, RefusalReason } from './errors.ts'
import type { Bytes, CacheOutcome, Instant, Milliseconds, ReportFormat, Seconds } from './terms.ts'

export const ROUTES = [
  'ping',
  'reports',
  'report',
  'parameters',
  'metrics',
  'schema',
  'page',
  'other',
] as const
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
  /** Process ids of the PostgreSQL backends that executed something for it, for the log. */
  backendPids?: number[]
}

/** Each kind of observation with its fields. */
interface Facts {
  request: {
    requestId: string
    /** Undefined if the request was rejected before it began. */
    origin?: RequestOrigin
    /** Address of the peer: a client, or a proxy. */
    peerAddress?: string | undefined
    /** `X-Forwarded-For` and `traceparent` as received. */
    forwardedFor?: string | string[] | undefined
    traceparent?: string | string[] | undefined
    method: string
    route: Route
    /** The code of an existing report, so that clients cannot add label values. */
    report?: string | undefined
    /** Values of its parameters. */
    values?: ReadonlyMap<string, string | null> | undefined
    status: number
    problem: ProblemCode | undefined
    /** The internal error; only logged. */
    cause?: unknown
    cache?: CacheOutcome | undefined
    /** The format of a report. */
    format?: ReportFormat | undefined
    durationMs: Milliseconds
    /** Until the head was sent; undefined if none was. */
    firstByteMs?: Milliseconds | undefined
    /** Age of a response from the cache. */
    ageSeconds?: Seconds | undefined
    sentBytes: Bytes
    /** Served without Koa. */
    shortcut: boolean
    /** The connection closed before the end of the response. */
    aborted: boolean
    organizationId?: string | undefined
    /** Why the request was rejected before its execution. */
    refusal?: RefusalReason | undefined
    /** `Retry-After` of the response. */
    retryAfterSeconds?: Seconds | undefined
  }
  'connection-closed': { reason: CloseReason }
  'key-checked': { outcome: KeyOutcome }
  'key-lookup': { keyCount: number; durationMs: Milliseconds; error: unknown }
  /** At most once a minute for each organization. */
  'access-row-rejected': { organizationId: string | undefined; error: unknown }
  /** The key database and this runtime disagree on a time zone's offset: minutes ahead of UTC at an instant. */
  'time-zone-differs': {
    timeZone: string
    at: Instant
    databaseMinutes: number
    runtimeMinutes: number
  }
  /** Without `replica` if none was available. */
  execution: OfReplica & {
    /** The request that began it; others may have joined. */
    origin?: RequestOrigin | undefined
    /** Process id of the PostgreSQL backend; undefined without a connection, and behind a pooler. */
    backendPid?: number | undefined
    /** `Definition.name`. */
    definition: string
    outcome: ExecutionOutcome
    plan: PlanKind
    /** Time in the queue, also if no slot was acquired. */
    queueMs: Milliseconds
    /** Undefined if no slot was acquired. */
    durationMs: Milliseconds | undefined
    /** Time from the slot until the server began to send the result; undefined without a result. */
    resultAfterMs?: Milliseconds | undefined
    rowCount: number
    error: unknown
  }
  /** With the replica that failed. */
  'execution-retried': {
    origin?: RequestOrigin | undefined
    definition: string
    reason: RetryReason
    error: unknown
    replica: string
  }
  /** The negative cache prevented an execution: the same one failed seconds ago. */
  'execution-spared': { definition: string }
  /** Once per execution and column: values that no format can hold were sent as null. */
  /** Null is one. */
  'currencies-unknown': { definition: string; column: string; valueCount: number }
  'values-nulled': { definition: string; column: string; valueCount: number }
  /** With the line of the error, if known. */
  'definition-refused': {
    definition: string
    file: string
    line: number | undefined
    error: unknown
  }
  /** `organizations.sql` or one of its rows is not valid, time zones cannot be checked, or the look-up lacks an index. */
  'access-degraded': { file: string; line: number | undefined; error: unknown }
  'cache-evicted': { reason: EvictionReason }
  'connection-acquired': {
    pool: PoolName
    durationMs: Milliseconds
    origin?: RequestOrigin | undefined
    /** The same as of an execution. */
    backendPid?: number | undefined
  }
  /** Reported once. */
  'pooler-detected': { pool: PoolName }
  /** Those of the reports role changed. Each with the SQL that revokes it; undefined if there are none. */
  'write-privileges': OfReplica & { found: string | undefined }
  'connection-lost': OfReplica & { pool: PoolName; error: unknown }
  /** With each new connection over TLS: when the certificate of the server expires. */
  'server-certificate': OfReplica & { pool: PoolName; expiresAt: Instant }
  'replica-probed': OfReplica & { state: ReplicaState }
  'replica-probe-failed': OfReplica & { error: unknown }
  /** The circuit breaker has opened, so that executions do not use the replica, or closed. */
  circuit: { replica: string; isOpen: boolean; error: unknown }
  /** A definition could be faster. */
  'definition-note': { file: string; line: number; message: string }
  'definitions-loaded': { reportCount: number; metricCount: number; durationMs: Milliseconds }
  /** The definitions were read again on request. Files are named as in messages. */
  'definitions-reloaded': {
    /** If there are any, the previous definitions are still used. */
    findings: ReadonlyArray<{ file: string; line: number | undefined; message: string }>
    added: readonly string[]
    changed: readonly string[]
    removed: readonly string[]
  }
  /** Changed definitions are used once a replica has validated them. */
  'reload-waits': object
  listening: { server: 'api' | 'operations'; host: string; port: number }
  draining: { signal: string; delayMs: Milliseconds }
  stopped: { durationMs: Milliseconds }
  'process-error': { error: unknown }
  /** The reader of the log stalled, and the log buffer is full. */
  'log-line-dropped': object
}

interface OfReplica {
  replica?: string
}

export type Fact<Kind extends keyof Facts> = { readonly kind: Kind } & Readonly<Facts[Kind]>
export type Observation = { [Kind in keyof Facts]: Fact<Kind> }[keyof Facts]

export type Observe = (observation: Observation) => void

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
  /** What the server sees, such as `10.0.0.2:5432`. */
  readonly address: string
}
