// A cluster after SIGKILL of its process, started by an ordinary user, or with a promoted standby.
import { expect } from 'chai'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serverAccount } from '../../src/demo/account.ts'
import { startCluster } from '../../src/demo/cluster.ts'
import { withClient } from '../../src/demo/connection.ts'
import { childrenOf, commandLine, eventually, isAlive } from '../../src/demo/processes.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { skip } from '../harness/skip.ts'

const PROGRAM = fileURLToPath(new URL('./start-and-wait.js', import.meta.url))

interface Started {
  readonly child: ChildProcess
  readonly fresh: boolean
  readonly pids: number[]
}

async function startInAnotherProcess(directory: string, ids = {}): Promise<Started> {
  const child = spawn(process.execPath, [PROGRAM, directory], {
    ...ids,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  if (!Buffer.isBuffer(line)) throw new Error(`The program ended with code ${line}`)
  return { child, ...JSON.parse(line.toString()) }
}

describe('a cluster', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const options = { directory: join(folder, 'pair'), database: 'shop' }

  it('is stopped by the next start if its process and the watchdog were killed', async () => {
    const { child, pids } = await startInAnotherProcess(options.directory)
    const watchdog = childrenOf(child.pid!).find(pid => commandLine(pid).includes('read -r'))
    process.kill(watchdog!, 'SIGKILL')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(pids.every(isAlive)).to.equal(true)

    const lines: string[] = []
    const cluster = await startCluster({ ...options, say: line => lines.push(line) })
    await cluster.stop()
    expect(lines).to.deep.equal([
      'Stopped the standby left by a crash',
      'Stopped the primary left by a crash',
    ])
    expect(pids.some(isAlive)).to.equal(false)
    expect(cluster.fresh).to.equal(false)
  })

  it('is replaced if its standby was promoted', async () => {
    const promoted = await startCluster(options)
    await withClient(promoted.replicaUrl, client => client.query('select pg_promote()'))
    await promoted.stop()
    const cluster = await startCluster(options)
    await cluster.stop()
    expect(cluster.fresh).to.equal(true)
  })

  it('works for an ordinary user, too', async function () {
    if (process.getuid?.() !== 0) skip(this, 'only root can')
    const account = serverAccount()
    const own = temporaryFolder()
    account.give(own)
    const { child, fresh, pids } = await startInAnotherProcess(join(own, 'pair'), account.ids)
    child.kill('SIGKILL')
    expect(fresh).to.equal(true)
    expect(lstatSync(join(own, 'pair')).mode & 0o777).to.equal(0o700)
    expect(await eventually(() => !pids.some(isAlive), 5000)).to.equal(true)
  })
})
