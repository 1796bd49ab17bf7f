// A second standby of the shops' cluster, for tests that pause its replay or need two servers.
import { serverAccount } from '../../src/demo/account.ts'
import { freePort } from '../../src/demo/ports.ts'
import type { PostgresServer } from '../../src/demo/server.ts'
import { common } from '../../src/demo/settings.ts'
import { startWatchdog } from '../../src/demo/watchdog.ts'
import { run, sharedShops } from './shops.ts'
import { startStandby } from './standby.ts'

/** Starts it before the tests of a suite, and stops it after them. @returns its `url`, once it has started */
export function shopsStandby(name: string): { readonly url: string } {
  const watchdog = startWatchdog()
  const standby = { url: '' }
  let server: PostgresServer
  before(async () => {
    const shops = await sharedShops()
    const port = await freePort()
    standby.url = Object.assign(new URL(shops.replicaUrl), { port: String(port) }).href
    const at = { name, port, url: standby.url, settings: common, watchdog }
    server = (await startStandby(shops.cluster, serverAccount(), at, undefined)).server
  })
  after(async () => {
    await server.stop('immediate')
    await watchdog.end()
    const { primaryUrl } = await sharedShops()
    await run(primaryUrl, `select pg_drop_replication_slot('standby_${name}')`)
  })
  return standby
}
