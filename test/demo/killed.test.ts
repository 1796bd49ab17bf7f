import { expect } from 'chai'
import { once } from 'node:events'
import { join } from 'node:path'
import { startCluster } from '../../src/demo/cluster.ts'
import { childrenOf, commandLine, isAlive } from '../../src/demo/processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ended, startInAnotherProcess } from './another-process.ts'

describe('a cluster whose process is killed', () => {
  const directory = join(temporaryFolder(), 'pair')

  it('leaves no server behind, and its data serve the next start', async () => {
    const { child, pids } = await startInAnotherProcess(directory)
    expect(pids.every(isAlive)).to.equal(true)
    child.kill('SIGKILL')
    expect(await ended(pids)).to.equal(true)

    const cluster = await startCluster({ directory, database: 'shop' })
    await cluster.stop()
    expect(cluster.fresh).to.equal(false)
  })

  it('is stopped by the next start if even the watchdog was killed', async () => {
    const { child, pids } = await startInAnotherProcess(directory)
    const watchdog = childrenOf(child.pid ?? 0).find(pid => commandLine(pid).includes('read -r'))
    expect(watchdog).to.be.a('number')
    process.kill(watchdog ?? 0, 'SIGKILL')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(pids.every(isAlive)).to.equal(true)

    const lines: string[] = []
    const cluster = await startCluster({
      directory,
      database: 'shop',
      say: line => lines.push(line),
    })
    await cluster.stop()
    expect(lines).to.deep.equal([
      'Stopped the standby that a crash had left',
      'Stopped the primary that a crash had left',
    ])
    expect(pids.some(isAlive)).to.equal(false)
    expect(cluster.fresh).to.equal(false)
  })
})
