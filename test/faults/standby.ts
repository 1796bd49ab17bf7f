// A hot standby made from a running primary: for a second one, and for one that was promoted.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from '../../src/demo/account.ts'
import { writeFor } from '../../src/demo/account.ts'
import type { Cluster } from '../../src/demo/cluster.ts'
import { withClient } from '../../src/demo/connection.ts'
import { run } from '../bench/commands.ts'

/** Copies the primary's data as they are now into a folder that is made anew. */
export async function copyPrimary(cluster: Cluster, account: Account, to: string): Promise<void> {
  await withClient(cluster.urlFor('postgres', 'primary', 'postgres'), async client => {
    await client.query("select pg_backup_start('standby', true)")
    rmSync(to, { recursive: true, force: true })
    mkdirSync(to, { recursive: true, mode: 0o700 })
    const { uid, gid } = account.ids
    // why: a file may go while it is copied; what that was the log says again
    const copy = 'cp -R "$1/." "$2" 2>/dev/null; rm -rf "$2"/postmaster.* "$2"/pg_replslot/*; :'
    await run(['/bin/sh', '-c', copy, 'sh', join(cluster.folder, 'primary'), to])
    const stopped = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    )
    writeFor(account, join(to, 'backup_label'), stopped.rows[0]?.labelfile ?? '')
    writeFor(account, join(to, 'standby.signal'), '')
    if (uid !== undefined) await run(['chown', '-R', `${uid}:${gid ?? uid}`, to])
  })
}
