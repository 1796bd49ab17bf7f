/**
 * What code in the request's path observes; `observability/` alone decides what becomes a metric or a
 * log line. Durations are milliseconds; errors are for the log.
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

/** Whether executions are sent to a replica: closed is yes, open no, half-open tries one. */
export type CircuitState = 'closed' | 'open' | 'half-open'

/** Why an execution was retried: a conflict with replay, a broken connection, a writable or full server. */
export const RETRY_REASONS = ['conflict', 'transport', 'elsewhere'] as const
export type RetryReason = (typeof RETRY_REASONS)[number]

/** Per execution, or shared by all executions of the statement on a connection. */
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

/** Why an entry was evicted: space for others, its organization's quarter, too old to serve. */
export const EVICTION_REASONS = ['space', 'share', 'expired'] as const
export type EvictionReason = (typeof EVICTION_REASONS)[number]

export type Observation =
  | {
      readonly kind: 'request'
      readonly requestId: string
      readonly method: string
      readonly route: Route
      /** The code of a report that exists; never made up by a client. */
      readonly report?: string | undefined
      readonly status: number
      readonly problem: ProblemCode | undefined
      /** The internal error, for the log. */
      readonly cause?: unknown
      readonly cache?: CacheOutcome | undefined
      /** Of a report. */
      readonly format?: ReportFormat | undefined
      readonly durationMs: Milliseconds
      readonly sentBytes: Bytes
      /** Without Koa. */
      readonly shortcut: boolean
      /** The connection closed before the end of the response. */
      readonly aborted: boolean
      readonly organizationId?: string | undefined
      /** Of a request that was refused before it was executed. */
      readonly refusal?: RefusalReason | undefined
      /** As in the response. */
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
  /** The first of consecutive failures: look-ups use the last verdicts. */
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
      /** Also if it got no slot. */
      readonly queueMs: Milliseconds
      /** Undefined if it got no slot. */
      readonly durationMs: Milliseconds | undefined
      readonly rowCount: number
      readonly error: unknown
      /** Undefined if none was available. */
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
  /** The negative cache saved an execution: the same failed seconds ago. */
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
      /** Where PostgreSQL found the error, if that is known. */
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
      /** A pooler is between us and the server; once, and again when its sessions lack other settings. */
      readonly kind: 'pooler-met'
      readonly pool: PoolName
      readonly lacking: readonly Lacking[]
    }
  | {
      /** The role of reports can write, once for each change; undefined: it no longer can. */
      readonly kind: 'write-privileges'
      /** Each with the SQL that revokes it. */
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
  /** The reader of the log stalled, and the buffer was full. */
  | { readonly kind: 'log-line-dropped' }

export type Observe = (observation: Observation) => void

/** A setting that a role lacks behind a pooler. */
export interface Lacking {
  readonly name: string
  readonly found: string
  readonly expected: string
  /** Its connections are refused. */
  readonly changesAnswers: boolean
  /** The SQL that makes the role carry it. */
  readonly mend: string
}

/** Adds the name of a database, `host:port`, to its observations. */
export function ofReplica(observe: Observe, replica: string): Observe {
  return fact => observe({ ...fact, replica } as Observation)
}

/** Hands each fact to every observer in turn; never throws. If one throws, the others get a `process-error`. */
export function fanOut(...observers: readonly Observe[]): Observe {
  return fact => {
    for (const observe of observers) {
      try {
        observe(fact)
      } catch (error) {
        tellOthers(observers, observe, error)
      }
    }
  }
}

// why: a closure in the loop would cost each fact a context, thrown in or not
function tellOthers(observers: readonly Observe[], broken: Observe, error: unknown): void {
  for (const observe of observers) {
    if (observe === broken) continue
    try {
      observe({ kind: 'process-error', error })
    } catch {
      // No observer is left.
    }
  }
}

/** The result of the last probe. */
export interface ReplicaState {
  readonly inRecovery: boolean
  /** In recovery, or a writable server that `ALLOW_PRIMARY` allows. */
  readonly usable: boolean
  /** The data is at least as new as this; undefined is unknown. */
  readonly dataAsOf: Instant | undefined
  /** A bound that never understates; undefined is unknown, never 0. */
  readonly lagSeconds: Seconds | undefined
  readonly replayPaused: boolean
  /** Why the heartbeat row of the product cannot be read: the lag is unknown then. */
  readonly heartbeatError?: unknown
}
