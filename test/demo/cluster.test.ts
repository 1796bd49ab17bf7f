import { expect } from 'chai'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverAccount } from '../../src/demo/account.ts'
import { startCluster, type Cluster } from '../../src/demo/cluster.ts'
import { valueOf, withClient } from '../../src/demo/connection.ts'
import { isAlive } from '../../src/demo/processes.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { skip } from '../harness/skip.ts'

describe('a cluster', () => {
  const directory = join(temporaryFolder(), 'pair')
  const options = { directory, database: 'shop' }
  let cluster: Cluster

  before(async () => {
    cluster = await startCluster(options)
  })
  after(() => cluster.stop('immediate'))

  it('runs its servers as an unprivileged user if root starts it', function () {
    if (process.getuid?.() !== 0 || process.platform !== 'linux')
      skip(this, 'only root on Linux can')
    const status = readFileSync(`/proc/${cluster.replica.pid}/status`, 'utf8')
    const { uid } = serverAccount().ids
    expect(uid).to.be.greaterThan(0)
    expect(status).to.match(new RegExp(`^Uid:\\t${uid}\\t${uid}\\t`, 'm'))
    expect(status).to.match(/^Groups:\s*$/m)
  })

  it('has caught up at once, for any position in a WAL page', async () => {
    // 300 records of different sizes: some end at the end of an 8 kB page.
    await withClient(cluster.primaryUrl, async client => {
      for (let size = 1; size <= 300; size++) {
        await client.query("select pg_logical_emit_message(false, 'x', repeat('x', $1))", [
          size * 8,
        ])
        if (size % 30 === 0) await cluster.replicaCaughtUp(2000)
      }
    })
  })

  it('accepts connections only with a password', async () => {
    const url = cluster.primaryUrl.replace(/:[0-9a-f]+@/, ':wrong@')
    const error = await valueOf(url, 'select 1').catch(error => error)
    expect(error).to.have.property('code', '28P01')
  })

  it('leaves no process when it stops, not even a frozen one, and restarts with its data', async () => {
    expect([cluster.fresh, cluster.folder]).to.deep.equal([true, directory])
    await withClient(cluster.primaryUrl, client => client.query('create table kept ()'))
    const pids = [cluster.primary.pid, cluster.replica.pid]
    const password = cluster.passwordOf('anyone')
    cluster.replica.pause()
    await cluster.stop()
    expect(pids.every(pid => pid !== undefined && !isAlive(pid))).to.equal(true)
    expect(existsSync(join(directory, 'lock'))).to.equal(false)
    cluster = await startCluster(options)
    expect([cluster.fresh, cluster.passwordOf('anyone')]).to.deep.equal([false, password])
    expect(await valueOf(cluster.replicaUrl, "select 'kept'::regclass")).to.equal('kept')
  })

  it('aborts its start on the signal', async () => {
    await cluster.stop()
    const signal = AbortSignal.abort(new Error('enough'))
    const error = await startCluster({ ...options, signal }).catch(error => error)
    expect(error.message).to.equal('enough')
    expect(existsSync(join(directory, 'lock'))).to.equal(false)
  })

  it('does not wait for a server that ends at its start: the error has the end of its log', async () => {
    const lines: string[] = []
    const error = await startCluster({
      ...options,
      say: line => lines.push(line),
      settings: { shared_buffers: 'plenty' },
    }).catch(error => error)
    expect(lines[0]).to.contain(
      'The data of an earlier start cannot be used, making new ones: The p',
    )
    expect(error.message).to.match(/^The primary ended at its start\.\nThe end of .*primary\.log:/)
    expect(error.message).to.include('invalid value for parameter "shared_buffers": "plenty"')
    expect(existsSync(join(directory, 'lock'))).to.equal(false)
  })
})
