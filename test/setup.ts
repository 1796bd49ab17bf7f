// Set-up of every test session. The server's time zone must not matter, so tests use an unusual one.
import { config } from 'chai'
import { afterEachTest } from './harness/after-each.ts'
import { prepareClusters, stopSharedCluster } from './harness/cluster.ts'

process.env['TZ'] = 'Pacific/Kiritimati'
config.truncateThreshold = 0
// why: mocha 12 ignores unhandled rejections, which would end the gateway and the commands
process.on('unhandledRejection', error => {
  throw error
})

export const mochaHooks = {
  afterEach: (): void => afterEachTest.splice(0).forEach(close => close()),
}

let giveUp = (): void => {}

/** Once, before the worker processes. */
export async function mochaGlobalSetup(): Promise<void> {
  giveUp = await prepareClusters()
}

/** Once, after the worker processes and their servers have ended. */
export async function mochaGlobalTeardown(): Promise<void> {
  try {
    await stopSharedCluster()
  } finally {
    giveUp()
  }
  // why: handles that a test left open must not delay the end; mocha's `exit` listener sets the code
  setTimeout(() => process.exit(), 5000).unref()
}
