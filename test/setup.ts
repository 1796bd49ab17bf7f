// What every test run needs around its tests. The server's own time zone must not matter, so tests
// run in one where nobody expects them to.
import { config } from 'chai'
import { prepareClusters, stopSharedCluster } from './harness/cluster.ts'

process.env['TZ'] = 'Pacific/Kiritimati'
config.truncateThreshold = 0

let giveUp = (): void => {}

/** Once, before the processes that run files. */
export async function mochaGlobalSetup(): Promise<void> {
  giveUp = await prepareClusters()
}

/** Once, after these processes have ended, and their servers with them. */
export async function mochaGlobalTeardown(): Promise<void> {
  try {
    await stopSharedCluster()
  } finally {
    giveUp()
  }
  // why: what a test left open must not keep the run from ending; mocha's listener of `exit` sets the code
  setTimeout(() => process.exit(), 5000).unref()
}
