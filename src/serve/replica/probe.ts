/**
 * Looks at the replica once a second on a connection of its own: is it in recovery, how old is what
 * it shows. The answer to "how old" is a bound that never understates; where it cannot be told it is
 * unknown, never 0.
 */
import knex from 'knex'
import type { PoolUse } from '../../model/gauges.ts'
import type { Observe, ReplicaState } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createReadLook } from './lag-bound.ts'
import type { Look } from './lag-bound.ts'
import { createPool, poolUse } from './pool.ts'
import { readHeartbeat } from './read-heartbeat.ts'

export interface Probe {
  /** What was seen last; undefined until something was. Never waits. */
  state(): ReplicaState | undefined
  /** How long ago that was at most; Infinity until something was seen. */
  ageMs(): Milliseconds
  pool(): PoolUse
  /** Calls back once, when a server that may be used has been seen for the first time. */
  start(onUsable: () => void): void
  /** Looks at once, if it does not look just now. */
  look(): void
  /** Resolves once a look that has begun after this call has ended, well or not, or after so long. */
  lookAnew(withinMs: Milliseconds): Promise<void>
  stop(): Promise<void>
}

const PERIOD_MS = 1000
const TIMEOUT_MS = 500
/** A look that takes longer is late. */
const LATE_MS = 200
/** Between two connections that are tried while nobody answers: at least this, and up to half as much again. */
const AWAY_MS = 500

/**
 * Where the primary's own WAL ended when it sent its last message is `latest_end_lsn`. `receive = replay`
 * is not enough to be caught up: a walsender that has stopped still shows it. The view is all null but its
 * pid for a role without pg_read_all_stats.
 * @see https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-WAL-RECEIVER-VIEW
 */
const LOOK = `
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

export function createProbe(options: {
  readonly connectionString: string
  readonly connectTimeoutMs: Milliseconds
  readonly allowPrimary: boolean
  /** SQL of the row that the product writes, if it does. @see readHeartbeat */
  readonly heartbeat?: (() => string | undefined) | undefined
  readonly observe: Observe
  /** Never set back or forth: a wall clock that is would make an old look a new one. Only differences count. */
  readonly elapsed?: Clock
  /** From 0 to 1. */
  readonly random?: () => number
  readonly onLate?: () => void
}): Probe {
  const { observe, elapsed = () => performance.now(), random = Math.random } = options
  const pool = createPool({ ...options, name: 'probe', max: 1 })
  const database = knex({
    client: 'pg',
    connectionPool: pool,
    // why: knex writes refused connections to the console, which is not its place to decide
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  })
  const readLook = createReadLook(options.allowPrimary)
  let state: ReplicaState | undefined
  let seenAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let stopped = false
  let isLooking = false
  let tellUsable: (() => void) | undefined
  /** Of those who wait for the look after the one under way. */
  let waiting: Array<() => void> = []

  async function look(): Promise<void> {
    const startedAt = elapsed()
    let againMs = PERIOD_MS
    isLooking = true
    const waited = waiting
    waiting = []
    const late = setTimeout(() => options.onLate?.(), LATE_MS)
    try {
      const text = options.heartbeat?.()
      const heartbeat = text === undefined ? undefined : await readHeartbeat(pool, text, TIMEOUT_MS)
      const { rows } = await database.raw<{ rows: [Look] }>(LOOK).timeout(TIMEOUT_MS)
      state = readLook(rows[0], heartbeat)
      // why: what is told of an instant within the look is older than its end
      seenAt = startedAt
      observe({ kind: 'replica-probed', state })
      if (state.usable) {
        tellUsable?.()
        tellUsable = undefined
      }
    } catch (error) {
      observe({ kind: 'replica-probe-failed', error })
      againMs = AWAY_MS * (1 + random() / 2)
    }
    clearTimeout(late)
    isLooking = false
    for (const tell of waited) tell()
    if (waiting.length > 0) againMs = 0
    if (!stopped) timer = setTimeout(again, Math.max(0, againMs - (elapsed() - startedAt)))
  }
  const again = (): void => void (looking = look())

  function lookNow(): void {
    if (isLooking || stopped) return
    clearTimeout(timer)
    again()
  }

  return {
    state: () => state,
    ageMs: () => elapsed() - seenAt,
    pool: () => poolUse(pool),
    start(onUsable) {
      tellUsable = onUsable
      lookNow()
    },
    look: lookNow,
    lookAnew: withinMs =>
      new Promise(resolve => {
        const late = setTimeout(resolve, withinMs)
        waiting.push(() => {
          clearTimeout(late)
          resolve()
        })
        lookNow()
      }),
    async stop() {
      stopped = true
      clearTimeout(timer)
      for (const tell of waiting) tell()
      await looking
      await database.destroy()
      if (!pool.ended) await pool.end()
    },
  }
}

function ignore(): void {}
