/**
 * Looks at the replica once a second on a connection of its own: is it in recovery, how old is what
 * it shows. The answer to "how old" is a bound that never understates; where it cannot be told it is
 * unknown, never 0.
 */
import knex from 'knex'
import type { Observe, PoolUse, ReplicaState } from '../observation.ts'
import type { Clock, Milliseconds } from '../terms.ts'
import { createPool, poolUse } from './pool.ts'

export interface Probe {
  /** What was seen last; undefined until something was. Never waits. */
  state(): ReplicaState | undefined
  /** How long ago that was; Infinity until something was seen. */
  ageMs(): Milliseconds
  pool(): PoolUse
  /** Calls back once, when a server that may be used has been seen for the first time. */
  start(onUsable: () => void): void
  /** Looks at once, if it does not look just now. */
  look(): void
  stop(): Promise<void>
}

const PERIOD_MS = 1000
const TIMEOUT_MS = 500
/** A look that takes longer is late. */
const LATE_MS = 200
/** Between two connections that are tried while nobody answers: at least this, and up to half as much again. */
const AWAY_MS = 500

/**
 * Caught up is: streaming, and replayed to the end of the primary's own WAL as its last message gave
 * it (`latest_end_lsn`). `receive = replay` is not enough: a walsender that has stopped still shows it.
 * The view is all null but its pid for a role without pg_read_all_stats.
 * @see https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-WAL-RECEIVER-VIEW
 */
const LOOK = `
select
    pg_is_in_recovery() as in_recovery,
    case when pg_is_in_recovery() then pg_is_wal_replay_paused() else false end as replay_paused,
    receiver.pid is not null and receiver.status is null as hidden,
    receiver.status = 'streaming' and pg_last_wal_replay_lsn() >= receiver.latest_end_lsn as caught_up,
    -- why: the message shows the primary at its sending; a slow link delivers it later
    (extract(epoch from least(receiver.last_msg_send_time, receiver.last_msg_receipt_time)) * 1000)::bigint::text as message_ms,
    (extract(epoch from pg_last_xact_replay_timestamp()) * 1000)::bigint::text as replayed_ms,
    (extract(epoch from clock_timestamp()) * 1000)::bigint::text as now_ms
from (select) as one
left join pg_stat_wal_receiver as receiver on true`

/** One row of the look; instants are milliseconds since the epoch by the replica's clock. */
export interface Look {
  readonly in_recovery: boolean
  readonly replay_paused: boolean
  /** The role may not see the WAL receiver. */
  readonly hidden: boolean
  readonly caught_up: boolean | null
  readonly message_ms: string | null
  readonly replayed_ms: string | null
  readonly now_ms: string
}

export function createProbe(options: {
  readonly connectionString: string
  readonly connectTimeoutMs: Milliseconds
  readonly allowPrimary: boolean
  readonly observe: Observe
  readonly now: Clock
  /** From 0 to 1. */
  readonly random?: () => number
  readonly onLate?: () => void
}): Probe {
  const { allowPrimary, observe, now, random = Math.random } = options
  const pool = createPool({ ...options, name: 'probe', max: 1 })
  const database = knex({
    client: 'pg',
    connectionPool: pool,
    // why: knex writes refused connections to the console, which is not its place to decide
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  })
  let state: ReplicaState | undefined
  let seenAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let stopped = false
  let isLooking = false
  let tellUsable: (() => void) | undefined

  async function look(): Promise<void> {
    const startedAt = now()
    let againMs = PERIOD_MS
    isLooking = true
    const late = setTimeout(() => options.onLate?.(), LATE_MS)
    try {
      const { rows } = await database.raw<{ rows: [Look] }>(LOOK).timeout(TIMEOUT_MS)
      state = readLook(rows[0], allowPrimary)
      seenAt = now()
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
    if (!stopped) timer = setTimeout(again, Math.max(0, againMs - (now() - startedAt)))
  }
  const again = (): void => void (looking = look())

  return {
    state: () => state,
    ageMs: () => now() - seenAt,
    pool: () => poolUse(pool),
    start(onUsable) {
      tellUsable = onUsable
      again()
    },
    look() {
      if (isLooking || stopped) return
      clearTimeout(timer)
      again()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
      await database.destroy()
      if (!pool.ended) await pool.end()
    },
  }
}

function ignore(): void {}

export function readLook(look: Look, allowPrimary: boolean): ReplicaState {
  const nowMs = Number(look.now_ms)
  if (!look.in_recovery) {
    return {
      inRecovery: false,
      usable: allowPrimary,
      dataAsOf: new Date(nowMs).toISOString(),
      lagSeconds: 0,
      replayPaused: false,
    }
  }
  const shown = look.caught_up === true ? look.message_ms : look.replayed_ms
  const shownMs = shown === null ? undefined : Math.min(Number(shown), nowMs)
  return {
    inRecovery: true,
    usable: true,
    dataAsOf: shownMs === undefined ? undefined : new Date(shownMs).toISOString(),
    lagSeconds: shownMs === undefined || look.hidden ? undefined : (nowMs - shownMs) / 1000,
    replayPaused: look.replay_paused,
  }
}
