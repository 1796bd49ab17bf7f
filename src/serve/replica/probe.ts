/**
 * Probes a server once a second on a connection of its own: is it in recovery, how old are its data. The age is
 * a bound that never understates; if it cannot be told it is unknown, never 0.
 */
import knex from 'knex'
import type { Pool } from 'pg'
import type { PoolUse } from '../../model/gauges.ts'
import type { ReplicaState } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { isAway } from './classify-error.ts'
import { raceTimeout, withConnection } from './connection.ts'
import type { Server } from './connection.ts'
import { createLagBound } from './lag-bound.ts'
import type { Heartbeat, ProbeRow } from './lag-bound.ts'
import { createPool } from './pool.ts'
import type { ServerOptions } from './pool.ts'
import { readOnlyRows } from './row-query.ts'

/** What is known of a server, for connections of other pools. */
export interface ProbedServer {
  /** As probed last; undefined until it was. Never waits. */
  readonly state: () => ReplicaState | undefined
  /** At most; Infinity until it was probed. */
  readonly stateAgeMs: () => Milliseconds
  /** Resolves once a probe that began after this call has ended, well or not, or after so long. */
  readonly probeAnew: (withinMs: Milliseconds) => Promise<void>
}

export interface Probe extends ProbedServer {
  pool(): PoolUse
  /** Probes at once, unless a probe is under way, and from then on once a second. */
  probe(): void
  stop(): Promise<void>
}

/**
 * As probed since the connection was made. A standby that crashes comes back as it was at its last
 * restartpoint, and shows what it has shown before only once it has replayed that again: what was found
 * before does not hold then. A connection outlives no crash.
 */
export function stateSince(
  { ageMs, isPooled }: Server,
  { state, stateAgeMs }: Pick<ProbedServer, 'state' | 'stateAgeMs'>,
): ReplicaState | undefined {
  // why: a pooler's connection is made once, and says nothing of the server behind it
  if (isPooled) return state()
  // why: asked in this order, what passes between the two makes the state older
  const lastedMs = ageMs()
  return stateAgeMs() <= lastedMs ? state() : undefined
}

/** How far behind the primary a server is at most; Infinity is unknown. */
export function lagMs(state: ReplicaState | undefined, ageMs: Milliseconds): Milliseconds {
  // why: data that were new when it was probed are as much older now
  return state?.lagSeconds === undefined
    ? Number.POSITIVE_INFINITY
    : state.lagSeconds * 1000 + ageMs
}

const PERIOD_MS: Milliseconds = 1000
const TIMEOUT_MS: Milliseconds = 500
/** A probe that takes longer is late. */
const LATE_MS: Milliseconds = 200
/** Between two connections that are tried while the server does not respond: at least this, at most half as much again. */
const UNREACHED_PERIOD_MS: Milliseconds = 500

/**
 * Where the primary's own WAL ended when it sent its last message is `latest_end_lsn`. `receive = replay`
 * is not enough to be caught up: a walsender that has stopped still shows it. The view is all null but its
 * pid for a role without pg_read_all_stats.
 * @see https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-WAL-RECEIVER-VIEW
 */
const PROBE = `
select
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
-- why: a receiver that has just begun has heard nothing, and shows the instant of its beginning as both
left join pg_stat_wal_receiver as message
    on message.status = 'streaming' and message.last_msg_send_time <> message.last_msg_receipt_time`

export interface ProbeOptions extends ServerOptions {
  readonly allowPrimary: boolean
  /** SQL of the row that the product writes, if it does. @see readHeartbeat */
  readonly heartbeat?: (() => string | undefined) | undefined
  /** Never set back or forth: a wall clock that is would make an old state a new one. Only differences count. */
  readonly elapsed?: Clock
  /** From 0 to 1. */
  readonly random?: () => number
  readonly onLate?: () => void
}

export function createProbe(options: ProbeOptions): Probe {
  const { observe, elapsed = () => performance.now(), random = Math.random } = options
  const pool = createPool({ ...options, name: 'probe', max: 1 })
  const database = knex({
    client: 'pg',
    connectionPool: pool,
    // why: knex writes refused connections to the console, which is not its place to decide
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  })
  const lagBound = createLagBound(options.allowPrimary)
  let state: ReplicaState | undefined
  let probedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> | undefined
  let isStopped = false
  /** Wait for the probe after the one under way. */
  let waiting: Array<() => void> = []

  async function readState(): Promise<ReplicaState> {
    const text = options.heartbeat?.()
    const heartbeat = text === undefined ? undefined : await readHeartbeat(pool, text, TIMEOUT_MS)
    const { rows } = await database.raw<{ rows: [ProbeRow] }>(PROBE).timeout(TIMEOUT_MS)
    return lagBound(rows[0], heartbeat)
  }

  async function probeOnce(): Promise<void> {
    const startedAt = elapsed()
    let periodMs = PERIOD_MS
    const waited = waiting
    waiting = []
    const late = setTimeout(() => options.onLate?.(), LATE_MS)
    try {
      state = await readState()
      // why: an instant within the probe is older than its end
      probedAt = startedAt
      observe({ kind: 'replica-probed', state })
    } catch (error) {
      observe({ kind: 'replica-probe-failed', error })
      periodMs = UNREACHED_PERIOD_MS * (1 + random() / 2)
    }
    clearTimeout(late)
    current = undefined
    for (const resolve of waited) resolve()
    if (waiting.length > 0) periodMs = 0
    if (!isStopped) timer = setTimeout(probe, Math.max(0, periodMs - (elapsed() - startedAt)))
  }

  function probe(): void {
    if (current || isStopped) return
    clearTimeout(timer)
    current = probeOnce()
  }

  return {
    state: () => state,
    stateAgeMs: () => elapsed() - probedAt,
    pool: pool.use,
    probe,
    probeAnew: withinMs =>
      new Promise(resolve => {
        if (isStopped) return resolve()
        const late = setTimeout(resolve, withinMs)
        waiting.push(() => {
          clearTimeout(late)
          resolve()
        })
        probe()
      }),
    async stop() {
      isStopped = true
      clearTimeout(timer)
      for (const resolve of waiting) resolve()
      await current
      await database.destroy()
      if (!pool.ended) await pool.end()
    },
  }
}

/**
 * When the primary wrote last, by the row that the product writes.
 * @param text SQL that returns one row: `written_ms`
 * @throws what the transport reports; an error of PostgreSQL is returned
 */
export async function readHeartbeat(
  pool: Pool,
  text: string,
  timeoutMs: Milliseconds,
): Promise<Heartbeat> {
  const read = withConnection(pool, client => readOnlyRows(client, timeoutMs, { text }))
  try {
    const rows = await raceTimeout(timeoutMs, read)
    const [[writtenMs] = []] = rows
    if (rows.length === 1 && writtenMs) return { writtenMs: Number(writtenMs) }
    const error = new Error(`${rows.length} rows, expected one with an instant`)
    return { writtenMs: undefined, error }
  } catch (error) {
    if (isAway(error)) throw error
    return { writtenMs: undefined, error }
  }
}

function ignore(): void {}
