/**
 * The facts worth noticing. Code in the request's path says `observe(fact)`; `observability/` alone
 * decides what becomes a metric or a log line. Durations are milliseconds; errors are for the log.
 */
import type { ProblemCode, RefusalReason } from './errors.ts'
import type { Bytes, CacheOutcome, Instant, Milliseconds, ReportFormat, Seconds } from './terms.ts'

export const ROUTES = ['ping', 'reports', 'report', 'metrics', 'other'] as const
export type Route = (typeof ROUTES)[number]

export const POOLS = ['reports', 'keys', 'probe'] as const
export type PoolName = (typeof POOLS)[number]

export const RUN_OUTCOMES = [
  'ok',
  'too_large',
  'cancelled',
  'unavailable',
  'refused',
  'spool_full',
  'timeout',
  'error',
] as const
export type RunOutcome = (typeof RUN_OUTCOMES)[number]

/** Whether runs are sent to a replica: closed is yes, open no, half-open tries it. */
export type CircuitState = 'closed' | 'open' | 'half-open'

/** Why a run was made once more: replay was in the way, the way to the server broke, it takes writes. */
export const RETRY_REASONS = ['conflict', 'transport', 'elsewhere'] as const
export type RetryReason = (typeof RETRY_REASONS)[number]

/** Of a run: made for its values, or once for all runs of the statement on a connection. */
export type Plan = 'own' | 'shared'

export const KEY_OUTCOMES = [
  'valid',
  'invalid',
  'missing',
  'locked',
  'unavailable',
  'invalid_row',
] as const
export type KeyOutcome = (typeof KEY_OUTCOMES)[number]

/** Why the gateway closed a client's connection: for a new one, too many responses 401, too many pipelined requests. */
export const CLOSE_REASONS = ['limit', 'unauthorized', 'pipelined'] as const
export type CloseReason = (typeof CLOSE_REASONS)[number]

/** Why an entry left the cache: room for others, its organization's quarter, too old to serve. */
export const EVICTION_REASONS = ['space', 'share', 'expired'] as const
export type EvictionReason = (typeof EVICTION_REASONS)[number]

export type Observation =
  | {
      readonly kind: 'request'
      readonly requestId: string
      readonly method: string
      readonly route: Route
      /** A report's code that exists; never what a client made up. */
      readonly report: string | undefined
      readonly status: number
      readonly problem: ProblemCode | undefined
      /** What went wrong inside, for the log. */
      readonly cause: unknown
      readonly cache: CacheOutcome | undefined
      /** Of a report. */
      readonly format: ReportFormat | undefined
      readonly durationMs: Milliseconds
      readonly sentBytes: Bytes
      /** Answered without Koa. */
      readonly shortcut: boolean
      /** The client left before the answer was out. */
      readonly aborted: boolean
      readonly organizationId: string | undefined
      /** Of a request that was refused before it was executed. */
      readonly refusal?: RefusalReason | undefined
      /** As the response says it. */
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
  /** The first of an organization, and again each minute in which its keys are looked up. */
  | {
      readonly kind: 'access-row-rejected'
      readonly organizationId: string | undefined
      readonly error: unknown
    }
  /** The first of failures in a row: look-ups go on with the last verdicts. */
  | {
      readonly kind: 'access-check-failed'
      readonly check: 'ids' | 'time zones'
      readonly error: unknown
      readonly replica?: string
    }
  /** Minutes ahead of UTC at an instant, to the database of keys and to this runtime. */
  | {
      readonly kind: 'time-zone-differs'
      readonly timeZone: string
      readonly at: Instant
      readonly databaseMinutes: number
      readonly runtimeMinutes: number
    }
  | {
      readonly kind: 'run'
      /** `Definition.name`. */
      readonly definition: string
      readonly outcome: RunOutcome
      readonly plan: Plan
      /** In vain, too. */
      readonly queueMs: Milliseconds
      /** Undefined where it never had a place to run. */
      readonly durationMs: Milliseconds | undefined
      readonly rowCount: number
      readonly error: unknown
      /** Undefined where none was to be had. */
      readonly replica?: string
    }
  | {
      readonly kind: 'run-retried'
      readonly definition: string
      readonly reason: RetryReason
      readonly error: unknown
      /** Where it failed. */
      readonly replica: string
    }
  /** A run was not made, because the same had failed a moment ago. */
  | { readonly kind: 'run-spared'; readonly definition: string }
  /** Once for an execution and column: dates outside the years 0001-9999 were sent as null. */
  | {
      readonly kind: 'dates-nulled'
      readonly definition: string
      readonly column: string
      readonly valueCount: number
    }
  | {
      readonly kind: 'definition-refused'
      readonly definition: string
      readonly file: string
      /** Where PostgreSQL stumbled, as far as that can be told. */
      readonly line: number | undefined
      readonly error: unknown
    }
  | { readonly kind: 'cache-evicted'; readonly reason: EvictionReason }
  | {
      readonly kind: 'connection-acquired'
      readonly pool: PoolName
      readonly durationMs: Milliseconds
    }
  | {
      /** A pooler is between us and the server; once, and again when what its sessions lack is another. */
      readonly kind: 'pooler-met'
      readonly pool: PoolName
      readonly lacking: readonly Lacking[]
    }
  | {
      /** The role of reports can write, once for each change; undefined is that it no longer can. */
      readonly kind: 'write-privileges'
      /** Each with the SQL that takes it away. */
      readonly found: string | undefined
      readonly replica?: string
    }
  | {
      readonly kind: 'connection-lost'
      readonly pool: PoolName
      readonly error: unknown
      readonly replica?: string
    }
  | { readonly kind: 'replica-probed'; readonly state: ReplicaState; readonly replica?: string }
  | { readonly kind: 'replica-probe-failed'; readonly error: unknown; readonly replica?: string }
  | {
      readonly kind: 'circuit'
      readonly replica: string
      readonly state: CircuitState
      /** Why it is open. */
      readonly error: unknown
    }
  | {
      readonly kind: 'definitions-loaded'
      readonly reportCount: number
      readonly metricCount: number
      readonly durationMs: Milliseconds
    }
  | {
      readonly kind: 'listening'
      readonly server: 'api' | 'operations'
      readonly host: string
      readonly port: number
    }
  | { readonly kind: 'draining'; readonly signal: string; readonly delayMs: Milliseconds }
  | { readonly kind: 'stopped'; readonly durationMs: Milliseconds }
  | { readonly kind: 'process-error'; readonly error: unknown }
  /** The reader of the log did not take it, and the buffer was full. */
  | { readonly kind: 'log-line-dropped' }

export type Observe = (observation: Observation) => void

/** A setting that a role must carry behind a pooler, and does not. */
export interface Lacking {
  readonly name: string
  readonly found: string
  readonly expected: string
  /** Such a connection is refused. */
  readonly changesAnswers: boolean
  /** The SQL that makes the role carry it. */
  readonly mend: string
}

/** Has facts of one database carry its name, `host:port`. */
export function ofReplica(observe: Observe, replica: string): Observe {
  return fact => observe({ ...fact, replica } as Observation)
}

/** What the probe saw last. */
export interface ReplicaState {
  readonly inRecovery: boolean
  /** In recovery, or a writable server that `ALLOW_PRIMARY` lets in. */
  readonly usable: boolean
  /** The data is at least as new as this; undefined is unknown. */
  readonly dataAsOf: Instant | undefined
  /** A bound that never understates; undefined is unknown, never 0. */
  readonly lagSeconds: Seconds | undefined
  readonly replayPaused: boolean
  /** Why the row that the product writes cannot be read, which leaves the lag unknown. */
  readonly heartbeatError?: unknown
}
