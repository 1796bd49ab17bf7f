/** PgBouncer in front of the standby, with one server connection per role, so that session state is shared. */
import type { PoolName } from '../../src/model/observation.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { needsPgBouncer, startPgBouncer, type PgBouncer } from '../harness/pgbouncer.ts'

/** Registers the hooks: tests are skipped without PgBouncer. @returns the URL of each pool's role */
export function pooledUrls(
  mode: 'transaction' | 'session',
  pools: readonly PoolName[],
): (pool: PoolName) => string {
  let pgBouncer: PgBouncer | undefined
  let serverUrl: (pool: PoolName) => string

  before(async function () {
    this.timeout(60_000)
    needsPgBouncer(this)
    const cluster = await sharedCluster()
    serverUrl = pool => cluster.urlFor(`svodka_${pool}`, 'replica')
    pgBouncer = await startPgBouncer({ mode, serverUrls: pools.map(serverUrl), poolSize: 1 })
  })
  after(() => pgBouncer?.stop())
  return pool => pgBouncer!.urlFor(serverUrl(pool))
}
