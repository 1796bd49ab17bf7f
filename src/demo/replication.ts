// Sets up replication between a primary and its standby, and waits for its progress.
import { withClient, valueOf } from './connection.ts'
import { eventually } from './processes.ts'
import { logTail, type PostgresServer } from './server.ts'

export const replicationRole = 'svodka_replication'

/** The primary retains WAL for this slot while the standby is stopped. */
const replicationSlot = 'standby'

/** After an outage of its primary, the standby reconnects within 100 ms instead of the default 5 s. */
export function standbySettings(primaryPort: number, password: string): Record<string, string> {
  return {
    primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=${replicationRole} password=${password} sslmode=disable application_name=standby`,
    primary_slot_name: replicationSlot,
    wal_retrieve_retry_interval: '100ms',
  }
}

/** Creates the replication role and slot, unless they exist. */
export async function admitStandby(primaryUrl: string, password: string): Promise<void> {
  await withClient(primaryUrl, async client => {
    const roles = await client.query('select from pg_roles where rolname = $1', [replicationRole])
    if (roles.rowCount === 0) {
      await client.query(`create role ${replicationRole} replication login password '${password}'`)
    }
    const slots = await client.query('select from pg_replication_slots where slot_name = $1', [
      replicationSlot,
    ])
    if (slots.rowCount === 0) {
      await client.query('select pg_create_physical_replication_slot($1, true)', [replicationSlot])
    }
  })
}

const streamingDeadlineMs = 30_000

/** @throws Error with the end of the standby's log if the standby exits, is writable or does not stream in time. */
export async function untilStreaming(
  standby: PostgresServer,
  url: string,
  signal?: AbortSignal,
): Promise<void> {
  const sql = `
    select case
      when not pg_is_in_recovery() then 'writable'
      else (select status from pg_stat_wal_receiver)
    end`
  let status: string | null = null
  const isDecided = await eventually(async () => {
    signal?.throwIfAborted()
    if (standby.pid === undefined) return true
    status = await valueOf(url, sql).catch(() => null)
    return status === 'streaming' || status === 'writable'
  }, streamingDeadlineMs)
  if (isDecided && status === 'streaming') return
  const state = standby.pid === undefined ? 'stopped' : (status ?? 'not streaming')
  throw new Error(`The standby does not replicate: it is ${state}.\n${logTail(standby.logFile)}`)
}

/** @throws Error if the standby does not replay the primary's current WAL within that time. */
export async function untilReplayed(
  primaryUrl: string,
  replicaUrl: string,
  withinMs: number,
): Promise<void> {
  // why: at the end of a page pg_current_wal_insert_lsn() points past the header of the next page. A standby reaches
  // that position only with the next record, which an idle primary writes after 15 s. So a record is written now.
  const writeRecord = "select pg_logical_emit_message(false, 'svodka', 'replayed?', true)"
  const lsn = await valueOf(primaryUrl, writeRecord)
  const isReplayed = await withClient(replicaUrl, async client =>
    eventually(
      async () => {
        const { rows } = await client.query<{ replayed: boolean }>(
          'select pg_last_wal_replay_lsn() >= $1::pg_lsn as replayed',
          [lsn],
        )
        return rows[0]?.replayed ?? false
      },
      withinMs,
      5,
    ),
  )
  if (!isReplayed) throw new Error(`The standby has not replayed ${lsn} after ${withinMs} ms.`)
}
