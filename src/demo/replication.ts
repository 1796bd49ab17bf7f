// What makes two servers a primary and its standby, and how far the standby has come.
import { withClient, valueOf } from './connection.ts'
import { eventually } from './processes.ts'
import { logTail, type Server } from './server.ts'

export const replicationRole = 'svodka_replication'

/** So that the primary keeps what a stopped standby has yet to read. */
const slot = 'standby'

/** The standby's settings: it asks again soon after its primary was away (by default after 5 s). */
export function standbySettings(primaryPort: number, password: string): Record<string, string> {
  return {
    primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=${replicationRole} password=${password} sslmode=disable application_name=standby`,
    primary_slot_name: slot,
    wal_retrieve_retry_interval: '100ms',
  }
}

/** Makes what the standby asks the primary for, unless it is there. */
export async function admitStandby(primaryUrl: string, password: string): Promise<void> {
  await withClient(primaryUrl, async client => {
    const roles = await client.query('select from pg_roles where rolname = $1', [replicationRole])
    if (roles.rowCount === 0) {
      await client.query(`create role ${replicationRole} replication login password '${password}'`)
    }
    const slots = await client.query('select from pg_replication_slots where slot_name = $1', [
      slot,
    ])
    if (slots.rowCount === 0) {
      await client.query('select pg_create_physical_replication_slot($1, true)', [slot])
    }
  })
}

const streamingDeadlineMs = 30_000

/** @throws Error with the end of the standby's log if it ends, is no standby, or takes too long. */
export async function untilStreaming(
  standby: Server,
  url: string,
  signal?: AbortSignal,
): Promise<void> {
  const sql = `
    select case
      when not pg_is_in_recovery() then 'writable'
      else (select status from pg_stat_wal_receiver)
    end`
  let status: string | null = null
  const decided = await eventually(async () => {
    signal?.throwIfAborted()
    if (standby.pid === undefined) return true
    status = await valueOf(url, sql).catch(() => null)
    return status === 'streaming' || status === 'writable'
  }, streamingDeadlineMs)
  if (decided && status === 'streaming') return
  const found = standby.pid === undefined ? 'has ended' : (status ?? 'does not stream')
  throw new Error(`The standby is not one: it ${found}.\n${logTail(standby.logFile)}`)
}

/** @throws Error if the standby does not show within that time all that the primary has now. */
export async function untilReplayed(
  primaryUrl: string,
  replicaUrl: string,
  withinMs: number,
): Promise<void> {
  // A record of our own, because pg_current_wal_insert_lsn() at the end of a page already stands behind the next
  // page's header: a standby gets there only with the next record, on an idle primary after 15 s.
  const emit = "select pg_logical_emit_message(false, 'svodka', 'replayed?', true)"
  const written = await valueOf(primaryUrl, emit)
  const replayed = await withClient(replicaUrl, async client =>
    eventually(
      async () => {
        const { rows } = await client.query<{ there: boolean }>(
          'select pg_last_wal_replay_lsn() >= $1::pg_lsn as there',
          [written],
        )
        return rows[0]?.there ?? false
      },
      withinMs,
      5,
    ),
  )
  if (!replayed) throw new Error(`The standby has not replayed ${written} after ${withinMs} ms.`)
}
