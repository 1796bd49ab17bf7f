// What every test run needs around its tests. The server's own time zone must not matter, so tests
// run in one where nobody expects them to.
import { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { inspect } from 'node:util'
import { config } from 'chai'
import { stopSharedCluster } from './support/cluster.ts'

process.env['TZ'] = 'Pacific/Kiritimati'
config.truncateThreshold = 0

/** If the process is still there so long after its last test, it prints what is open and exits. */
const STAY_MS = 10_000

export function mochaGlobalTeardown(): void {
  const end = (): void => {
    const handles = (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles()
    const found = [...handles.map(describeHandle), process.getActiveResourcesInfo().join(' ')]
    const lines = found.map(line => `  ${line}\n`)
    process.stdout.write(`Still open ${STAY_MS / 1000} s after the last test:\n${lines.join('')}`)
    // why: they have this process's output, which a reader waits for the end of
    for (const handle of handles) if (handle instanceof ChildProcess) handle.kill('SIGKILL')
    // why: mocha's listener of `exit` sets the code
    process.exit()
  }
  setTimeout(end, STAY_MS).unref()
}

function describeHandle(handle: object): string {
  if (handle instanceof ChildProcess) return `process ${handle.pid}: ${handle.spawnargs.join(' ')}`
  if (handle instanceof Socket) return `socket from ${handle.localPort} to ${handle.remotePort}`
  return inspect(handle, { depth: 0, breakLength: Infinity }).slice(0, 300)
}

export const mochaHooks = {
  async afterAll(this: Mocha.Context): Promise<void> {
    this.timeout(30_000)
    await stopSharedCluster()
  },
}
