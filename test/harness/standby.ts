// Makes a hot standby from a running primary: a second one, or a replacement of a promoted one.
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeFor, type Account } from '../../src/demo/account.ts'
import type { Cluster } from '../../src/demo/cluster.ts'
import { findBinaries } from '../../src/demo/binaries.ts'
import { withClient } from '../../src/demo/connection.ts'
import { replicationRole, standbySettings, untilStreaming } from '../../src/demo/replication.ts'
import { createPostgresServer, type PostgresServer } from '../../src/demo/server.ts'
import type { PostgresSettings } from '../../src/demo/settings.ts'
import type { Watchdog } from '../../src/demo/watchdog.ts'

const run = promisify(execFile)

/** Starts a standby of that name, with a separate folder and slot. @returns the server and its data folder. */
export async function startStandby(
  cluster: Cluster,
  account: Account,
  at: {
    readonly name: string
    readonly port: number
    readonly url: string
    readonly settings: PostgresSettings
    readonly watchdog: Watchdog
  },
  signal: AbortSignal | undefined,
): Promise<{ readonly server: PostgresServer; readonly data: string }> {
  const { port, url, watchdog } = at
  const own = join(cluster.folder, at.name)
  const slot = `standby_${at.name}`
  mkdirSync(own, { mode: 0o711 })
  const settings = standbySettings(cluster.primary.port, cluster.passwordOf(replicationRole))
  await withClient(cluster.primaryUrl, client =>
    client.query('select pg_create_physical_replication_slot($1, true)', [slot]),
  )
  await copyPrimary(cluster, account, join(own, 'standby'))
  const server = createPostgresServer({
    name: 'standby',
    folder: own,
    port,
    url: Object.assign(new URL(url), { pathname: '/postgres' }).href,
    settings: {
      ...at.settings,
      ...settings,
      primary_conninfo: `${settings['primary_conninfo']}`.replace(/standby$/, slot),
      primary_slot_name: slot,
    },
    account,
    binaries: findBinaries(account),
    watchdog,
    signal,
  })
  await server.start()
  await untilStreaming(server, url, signal)
  return { server, data: join(own, 'standby') }
}

/** Copies the primary's current data into a new folder. */
export async function copyPrimary(cluster: Cluster, account: Account, to: string): Promise<void> {
  await withClient(cluster.urlFor('postgres', 'primary', 'postgres'), async client => {
    await client.query("select pg_backup_start('standby', true)")
    rmSync(to, { recursive: true, force: true })
    mkdirSync(to, { recursive: true, mode: 0o700 })
    const { uid, gid } = account.ids
    // why: a file may be deleted during the copy; the WAL restores its content
    const copy = 'cp -R "$1/." "$2" 2>/dev/null; rm -rf "$2"/postmaster.* "$2"/pg_replslot/*; :'
    await run('/bin/sh', ['-c', copy, 'sh', join(cluster.folder, 'primary'), to])
    const stopped = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    )
    writeFor(account, join(to, 'backup_label'), stopped.rows[0]?.labelfile ?? '')
    writeFor(account, join(to, 'standby.signal'), '')
    if (uid !== undefined) await run('chown', ['-R', `${uid}:${gid ?? uid}`, to])
  })
}
