import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import type { ReplicaState } from '../../src/observation.ts'
import { createProbe } from '../../src/replica/probe.ts'
import { sharedCluster } from '../support/cluster.ts'
import { run } from '../support/shops.ts'

describe('createProbe', () => {
  let cluster: Cluster
  before(async function () {
    this.timeout(60_000)
    cluster = await sharedCluster()
  })

  async function probeOnce(connectionString: string, allowPrimary = false): Promise<ReplicaState> {
    let seen: (state: ReplicaState) => void
    const state = new Promise<ReplicaState>(resolve => (seen = resolve))
    const probe = createProbe({
      connectionString,
      connectTimeoutMs: 2000,
      allowPrimary,
      observe: fact => fact.kind === 'replica-probed' && seen(fact.state),
    })
    probe.start(() => undefined)
    const result = await state
    await probe.stop()
    return result
  }

  it('sees a hot standby that is caught up as the probe role', async () => {
    await run(
      cluster.primaryUrl,
      'create table if not exists probed (n int); insert into probed values (1)',
    )
    await cluster.replicaCaughtUp()
    const state = await probeOnce(cluster.urlFor('svodka_probe', 'replica'))
    expect(state).to.include({ inRecovery: true, usable: true, replayPaused: false })
    expect(state.lagSeconds).to.be.within(0, 40)
    expect(Date.parse(state.dataAsOf!)).to.be.within(Date.now() - 40_000, Date.now())
  })

  it('does not know the lag as a role without pg_read_all_stats', async () => {
    const state = await probeOnce(cluster.urlFor('svodka_reports', 'replica'))
    expect(state.lagSeconds).to.equal(undefined)
    expect(state.dataAsOf).to.be.a('string')
  })

  it('sees that replay is paused, and the lag grow', async () => {
    await run(cluster.replicaUrl, 'select pg_wal_replay_pause()')
    try {
      await run(cluster.primaryUrl, 'insert into probed values (2)')
      const first = await probeOnce(cluster.urlFor('svodka_probe', 'replica'))
      await new Promise(resolve => setTimeout(resolve, 300))
      const second = await probeOnce(cluster.urlFor('svodka_probe', 'replica'))
      expect(second.replayPaused).to.equal(true)
      expect(second.lagSeconds).to.be.greaterThan(first.lagSeconds!)
      expect(second.dataAsOf).to.equal(first.dataAsOf)
    } finally {
      await run(cluster.replicaUrl, 'select pg_wal_replay_resume()')
    }
  })

  it('sees a writable server for what it is', async () => {
    expect(await probeOnce(cluster.primaryUrl)).to.include({ inRecovery: false, usable: false })
    expect(await probeOnce(cluster.primaryUrl, true)).to.include({ usable: true, lagSeconds: 0 })
  })

  it('reports a database that is away and goes on looking', async () => {
    const failures: unknown[] = []
    const probe = createProbe({
      connectionString: 'postgres://nobody@127.0.0.1:1/none',
      connectTimeoutMs: 500,
      allowPrimary: false,
      observe: fact => fact.kind === 'replica-probe-failed' && failures.push(fact.error),
    })
    probe.start(() => undefined)
    await new Promise(resolve => setTimeout(resolve, 1300))
    expect(failures.length).to.be.at.least(2)
    expect(probe.state()).to.equal(undefined)
    await probe.stop()
  })
})
