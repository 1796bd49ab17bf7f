// What every test run needs around its tests. The server's own time zone must not matter, so tests
// run in one where nobody expects them to.
import { config } from 'chai'
import { stopSharedCluster } from './support/cluster.ts'

process.env['TZ'] = 'Pacific/Kiritimati'
config.truncateThreshold = 0

export const mochaHooks = {
  async afterAll(this: Mocha.Context): Promise<void> {
    this.timeout(30_000)
    await stopSharedCluster()
  },
}
