/**
 * Probes a server once a second on a separate connection: is it in recovery, and how old are its data. The age is
 * an upper bound; if it cannot be determined it is unknown, never 0.
 */
import { DatabaseError } from 'pg'
import type { ReplicaState, ServerIdentity } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { isUnavailable } from './classify-error.ts'
import { readOnlyRows, type DatabaseOptions } from './connection.ts'
import { createLagBound, type Heartbeat, type ProbeRow } from './lag-bound.ts'
import { createPool } from './pool.ts'
import { createPeerCheck } from './peer-check.ts'
import type { DatabaseClient } from './database-client.ts'
import { BEGIN, IDENTITY_COLUMNS } from './session-settings.ts'
import { Timeout, within } from './timeout.ts'

export type Probe = ReturnType<typeof createProbe>

/** If the last probe is older, the server may have been promoted since. */
export const TRUSTED_MS: Milliseconds = 3000

const PERIOD_MS: Milliseconds = 1000
const TIMEOUT_MS: Milliseconds = 500
/** why: a probe that follows an unreachable server waits for the connection that was being made */
const CONNECT_MS: Milliseconds = 1000
/** A probe that takes longer is late. */
const LATE_MS: Milliseconds = 200
/** An older state is renewed before it is taken for too old: this process may have been held. */
export const RENEWED_MS: Milliseconds = PERIOD_MS + LATE_MS
/** Minimum interval between attempts to connect while the server does not respond; the maximum is 1.5 times this. */
const UNREACHED_PERIOD_MS: Milliseconds = 500

/**
 * `latest_end_lsn` is the end of the primary's WAL in its last message. `receive = replay` does not prove that the
 * standby has caught up: it is also true if the walsender has stopped. For a role without pg_read_all_stats all
 * columns of the view but pid are null.
 * @see https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-WAL-RECEIVER-VIEW
 */
const PROBE = `${BEGIN};
select
    ${IDENTITY_COLUMNS},
    pg_is_in_recovery() as in_recovery,
    case when pg_is_in_recovery() then pg_is_wal_replay_paused() else false end as replay_paused,
    receiver.pid is not null and receiver.status is null as hidden,
    (extract(epoch from clock_timestamp()) * 1000)::bigint::text as now_ms,
    pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as replayed,
    (extract(epoch from pg_last_xact_replay_timestamp()) * 1000)::bigint::text as replayed_ms,
    pg_wal_lsn_diff(message.latest_end_lsn, '0/0')::text as "end",
    message.received_tli::text as timeline,
    (extract(epoch from message.last_msg_send_time) * 1000)::bigint::text as sent_ms,
    (extract(epoch from message.last_msg_receipt_time) * 1000)::bigint::text as received_ms
from (select) as one
left join pg_stat_wal_receiver as receiver on true
-- why: before its first message a receiver shows its start as both instants
left join pg_stat_wal_receiver as message
    on message.status = 'streaming' and message.last_msg_send_time <> message.last_msg_receipt_time;
commit`

export interface ProbeOptions extends DatabaseOptions {
  readonly allowPrimary: boolean
  /** SQL of the product's heartbeat row, if there is one. @see readHeartbeat */
  readonly heartbeat?: (() => string | undefined) | undefined
  /** From 0 to 1. */
  readonly random: () => number
}

/** It is told after each probe, and if it takes long. */
interface ProbeWatcher {
  readonly probeLate: () => void
  readonly probeSucceeded: () => void
  readonly probeFailed: (error: unknown) => void
}

export function createProbe(options: ProbeOptions) {
  const { observe, random } = options
  const connectTimeoutMs = Math.min(options.connectTimeoutMs, CONNECT_MS)
  const pool = createPool({ ...options, connectTimeoutMs, name: 'probe', max: 1 })
  const lagBound = createLagBound(options.allowPrimary)
  const watchers: ProbeWatcher[] = []
  const stateAgeMs = (): Milliseconds => performance.now() - probedAt
  const peerCheck = createPeerCheck({ state: () => state, stateAgeMs })
  let state: ReplicaState | undefined
  let failure: unknown
  let probedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> | undefined
  let isStopped = false

  const onConnection = <T>(use: (client: DatabaseClient) => Promise<T>): Promise<T> =>
    within(TIMEOUT_MS, pool.withSession(use))

  async function readState(): Promise<ReplicaState> {
    const text = options.heartbeat?.()
    const heartbeat =
      text === undefined ? undefined : await onConnection(client => readHeartbeat(client, text))
    const row = await onConnection(client =>
      within(TIMEOUT_MS, client.secondRow<ProbeRow & ServerIdentity>(PROBE), client),
    )
    const { started, address } = row
    return { ...lagBound(row, heartbeat), server: { started, address } }
  }

  async function probeOnce(): Promise<void> {
    const startedAt = performance.now()
    let periodMs = PERIOD_MS
    const late = new Timeout(LATE_MS, () => watchers.forEach(one => one.probeLate()))
    try {
      state = await readState()
      failure = undefined
      // why: the state may be as old as the beginning of the probe
      probedAt = startedAt
      observe({ kind: 'replica-probed', state })
      for (const watcher of watchers) watcher.probeSucceeded()
    } catch (error) {
      failure = error
      periodMs = UNREACHED_PERIOD_MS * (1 + random() / 2)
      observe({ kind: 'replica-probe-failed', error })
      for (const watcher of watchers) watcher.probeFailed(error)
    }
    late.stop()
    current = undefined
    const waitMs = startedAt + periodMs - performance.now()
    if (!isStopped) timer = setTimeout(() => void probe(), waitMs)
  }

  /** Resolves when the probe in flight, or a new one, has ended. */
  async function probe(): Promise<void> {
    if (isStopped) return
    clearTimeout(timer)
    current ??= probeOnce()
    await current
  }

  /** Resolves when a probe that began after this call has succeeded, when two have failed, or after `withinMs`. */
  async function probeNow(withinMs = TIMEOUT_MS): Promise<void> {
    const first = Promise.resolve(current).then(probe)
    // why: a single late response does not make the server's state unknown
    const next = first.then(() => (failure === undefined ? undefined : probe()))
    await within(withinMs, next).catch(() => undefined)
  }

  return {
    state: () => state,
    stateAgeMs,
    ...peerCheck,
    /** Why the last probe failed; undefined if it succeeded. */
    failure: () => failure,
    pool: pool.use,
    watch: (watcher: ProbeWatcher): void => void watchers.push(watcher),
    /** Probes at once, unless a probe is in flight, and then once a second. */
    probe: () => void probe(),
    /** The error of PostgreSQL for this SQL of a heartbeat, if there is one. @throws what the transport reports */
    async heartbeatError(text: string): Promise<unknown> {
      const { error } = await onConnection(client => readHeartbeat(client, text))
      // why: rows may be missing for a while
      return error instanceof DatabaseError ? error : undefined
    },
    probeNow,
    /** Probes again if the state is older than the period of probes. */
    renew: async (): Promise<void> => (stateAgeMs() > RENEWED_MS ? probeNow() : undefined),
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await current
      await pool.end()
    },
  }
}

/**
 * The instant of the primary's last write to the product's heartbeat row.
 * @param text SQL that returns one row: `written_ms`
 * @throws what the transport reports; an error of PostgreSQL is returned
 */
export async function readHeartbeat(client: DatabaseClient, text: string): Promise<Heartbeat> {
  try {
    const rows = await readOnlyRows(client, TIMEOUT_MS, { text })
    const [[writtenMs] = []] = rows
    if (rows.length === 1 && writtenMs) return { writtenMs: Number(writtenMs) }
    const error = new Error(`${rows.length} rows, expected one with an instant`)
    return { writtenMs: undefined, error }
  } catch (error) {
    if (isUnavailable(error)) throw error
    return { writtenMs: undefined, error }
  }
}
