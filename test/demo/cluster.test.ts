import { expect } from 'chai'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverAccount } from '../../src/demo/account.ts'
import { startCluster, type Cluster } from '../../src/demo/cluster.ts'
import { valueOf, withClient } from '../../src/demo/connection.ts'
import { isAlive } from '../../src/demo/processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('a cluster', () => {
  const directory = join(temporaryFolder(), 'pair')
  const options = { directory, database: 'shop' }
  let cluster: Cluster

  before(async () => {
    cluster = await startCluster(options)
  })
  after(() => cluster.stop('immediate'))

  it('is made from nothing', () => {
    expect(cluster.fresh).to.equal(true)
    expect(cluster.folder).to.equal(directory)
  })

  it('is a primary and a server in recovery that streams from it', async () => {
    const inRecovery = 'select pg_is_in_recovery()'
    expect(await valueOf(cluster.primaryUrl, inRecovery)).to.equal('f')
    expect(await valueOf(cluster.replicaUrl, inRecovery)).to.equal('t')
    const streaming = 'select status from pg_stat_wal_receiver'
    expect(await valueOf(cluster.replicaUrl, streaming)).to.equal('streaming')
  })

  it('runs its servers as an unprivileged user if root starts it', function () {
    if (process.getuid?.() !== 0 || process.platform !== 'linux') this.skip()
    const status = readFileSync(`/proc/${cluster.replica.pid}/status`, 'utf8')
    const { uid } = serverAccount().ids
    expect(uid).to.be.greaterThan(0)
    expect(status).to.match(new RegExp(`^Uid:\\t${uid}\\t${uid}\\t`, 'm'))
    expect(status).to.match(/^Groups:\s*$/m)
  })

  it('shows on the standby what was written on the primary', async () => {
    await withClient(cluster.primaryUrl, client =>
      client.query("create table words as select 'щука' as word"),
    )
    await cluster.replicaCaughtUp()
    expect(await valueOf(cluster.replicaUrl, 'select upper(word) from words')).to.equal('ЩУКА')
  })

  it('has caught up at once wherever a page of the log ends', async () => {
    // 300 records of different sizes: some end where an 8 kB page does.
    await withClient(cluster.primaryUrl, async client => {
      for (let size = 1; size <= 300; size++) {
        await client.query("select pg_logical_emit_message(false, 'x', repeat('x', $1))", [
          size * 8,
        ])
        if (size % 30 === 0) await cluster.replicaCaughtUp(2000)
      }
    })
  })

  it('refuses writes on the standby', async () => {
    const error = await valueOf(cluster.replicaUrl, 'create table refused ()').catch(error => error)
    expect(error).to.have.property('code', '25006')
  })

  it('lets in by password only', async () => {
    const url = cluster.primaryUrl.replace(/:[0-9a-f]+@/, ':wrong@')
    const error = await valueOf(url, 'select 1').catch(error => error)
    expect(error).to.have.property('code', '28P01')
  })

  it('refuses a second cluster in its folder, naming the process that has it', async () => {
    const error = await startCluster(options).catch(error => error)
    expect(error).to.be.an('error')
    expect(error.message).to.include(`${directory} is in use by process ${process.pid}`)
  })

  it('restarts its standby on the same port, where it streams again', async () => {
    const { replica } = cluster
    const before = replica.pid
    await replica.stop('immediate')
    expect(replica.pid).to.equal(undefined)
    await withClient(cluster.primaryUrl, client => client.query('create table meanwhile ()'))
    await replica.start()
    expect(replica.pid).not.to.equal(before)
    await cluster.replicaCaughtUp(5000)
    expect(await valueOf(cluster.replicaUrl, "select 'meanwhile'::regclass")).to.equal('meanwhile')
  })

  it('freezes its standby: nothing answers until it goes on', async () => {
    cluster.replica.pause()
    const answer = valueOf(cluster.replicaUrl, 'select 1')
    const first = await Promise.race([
      answer,
      new Promise(resolve => setTimeout(resolve, 300, 'none')),
    ])
    cluster.replica.resume()
    expect(first).to.equal('none')
    expect(await answer).to.equal('1')
  })

  it('leaves no process when it stops, a frozen one neither', async () => {
    const pids = [cluster.primary.pid, cluster.replica.pid]
    cluster.replica.pause()
    await cluster.stop()
    expect(pids.every(pid => pid !== undefined && !isAlive(pid))).to.equal(true)
    expect(existsSync(join(directory, 'lock'))).to.equal(false)
  })

  it('starts again with the data and passwords that it had', async () => {
    const password = cluster.passwordOf('anyone')
    cluster = await startCluster(options)
    expect(cluster.fresh).to.equal(false)
    expect(cluster.passwordOf('anyone')).to.equal(password)
    expect(await valueOf(cluster.replicaUrl, 'select word from words')).to.equal('щука')
  })

  it('is made anew when its standby is one no longer', async () => {
    await withClient(cluster.replicaUrl, client => client.query('select pg_promote()'))
    await cluster.stop()
    cluster = await startCluster(options)
    expect(cluster.fresh).to.equal(true)
    expect(await valueOf(cluster.replicaUrl, 'select pg_is_in_recovery()')).to.equal('t')
  })

  it('gives up its start when told to', async () => {
    await cluster.stop()
    const said = AbortSignal.abort(new Error('enough'))
    const error = await startCluster({ ...options, signal: said }).catch(error => error)
    expect(error.message).to.equal('enough')
    expect(existsSync(join(directory, 'lock'))).to.equal(false)
  })
})
