import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { createProbe } from '../../src/serve/replica/probe.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { run } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { change } from './execute.ts'
import { lookAt } from './look.ts'
import { casesOf } from './table.ts'

/** What is changed after the one before, the lag, and what is said of the heartbeat. */
const HEARTBEATS = `
  does not know the lag, and never says 0, if its role may not read it | truncate probed | unknown | permission denied
  does not know it without a row | grant select on probed to svodka_reports | unknown | 0 rows, expected one
  knows it from the heartbeat alone | insert into probed values (now()) | 0 s | undefined
  says 0, and no data of the future, if the primary is ahead | update probed set written_at = now() + interval '30 s' | 0 s | undefined
  does not know it with two rows | insert into probed values (now()) | unknown | 2 rows, expected one
`

describe('a probe', function () {
  this.timeout(60_000)
  let cluster: Cluster
  let probeUrl: string
  /** Of a role without pg_read_all_stats: an archive standby or a managed replica shows no more. */
  let blindUrl: string

  before(async () => {
    cluster = await sharedCluster()
    probeUrl = cluster.urlFor('svodka_probe', 'replica')
    blindUrl = cluster.urlFor('svodka_reports', 'replica')
    await change(cluster, 'create table probed (written_at timestamptz not null)')
  })
  after(() => change(cluster, 'drop table probed'))

  it('sees a hot standby that is caught up, as the probe role', async () => {
    const state = await lookAt(probeUrl)
    expect(state).to.include({ inRecovery: true, usable: true, replayPaused: false })
    expect(state.lagSeconds).to.be.within(0, 40)
    expect(Date.parse(state.dataAsOf!)).to.be.within(Date.now() - 40_000, Date.now())
  })

  it('does not know the lag as a role without pg_read_all_stats', async () => {
    const state = await lookAt(blindUrl)
    expect(state.lagSeconds).to.equal(undefined)
    expect(state.dataAsOf).to.be.a('string')
  })

  it('sees that replay is paused, and the lag grow', async () => {
    await run(cluster.replicaUrl, 'select pg_wal_replay_pause()')
    try {
      await run(cluster.primaryUrl, 'create table unseen (); drop table unseen')
      const first = await lookAt(probeUrl)
      await new Promise(resolve => setTimeout(resolve, 300))
      const second = await lookAt(probeUrl)
      expect(second.replayPaused).to.equal(true)
      expect(second.lagSeconds).to.be.greaterThan(first.lagSeconds!)
      expect(second.dataAsOf).to.equal(first.dataAsOf)
    } finally {
      await run(cluster.replicaUrl, 'select pg_wal_replay_resume()')
    }
  })

  it('sees a writable server for what it is', async () => {
    const { primaryUrl } = cluster
    expect(await lookAt(primaryUrl)).to.include({ inRecovery: false, usable: false })
    const allowed = await lookAt(primaryUrl, { allowPrimary: true })
    expect(allowed).to.include({ usable: true, lagSeconds: 0 })
  })

  it('reports a database that is unreachable, looks again, and nobody waits for it once it is stopped', async () => {
    const failures: unknown[] = []
    const probe = createProbe({
      connectionString: 'postgres://nobody@127.0.0.1:1/none',
      connectTimeoutMs: 500,
      allowPrimary: false,
      observe: fact => fact.kind === 'replica-probe-failed' && failures.push(fact.error),
      random: () => 0,
    })
    probe.probe()
    await until(() => failures.length >= 2)
    expect(failures[0]).to.include({ code: 'ECONNREFUSED' })
    expect(probe.state()).to.equal(undefined)
    await probe.stop()
    // why: a connection that is being made would hold its pool open for so long
    await probe.probeAnew(10 * 60_000)
  })

  describe('with a heartbeat that the product writes', () => {
    // why: a `?` is an operator of jsonb, and no placeholder
    const heartbeat = `select written_at from probed where '{"a": 1}'::jsonb ? 'a'`

    for (const [title = '', sql = '', lag, error = ''] of casesOf(HEARTBEATS)) {
      it(title, async () => {
        await change(cluster, sql)
        const state = await lookAt(blindUrl, { heartbeat })
        const { lagSeconds, dataAsOf } = state
        expect(lagSeconds === undefined ? 'unknown' : `${Math.floor(lagSeconds)} s`).to.equal(lag)
        expect(String(state.heartbeatError)).to.contain(error)
        if (dataAsOf) expect(Date.parse(dataAsOf)).to.be.at.most(Date.now() + 1000)
      })
    }
  })

  it('goes by the last commit and the heartbeat without a WAL receiver, as of an archive', async () => {
    const receivers = () => run(cluster.replicaUrl, 'select from pg_stat_wal_receiver')
    const configure = async (conninfo: string, isConnected: boolean): Promise<void> => {
      await run(cluster.replicaUrl, `alter system ${conninfo}`)
      await run(cluster.replicaUrl, 'select pg_reload_conf()')
      await until(async () => (await receivers()).length > 0 === isConnected)
    }
    await change(cluster, 'truncate probed; insert into probed values (now())')
    const heartbeat = 'select written_at from probed'
    await configure(`set primary_conninfo = ''`, false)
    try {
      await run(cluster.primaryUrl, 'update probed set written_at = now()')
      const cutAt = Date.now()
      await new Promise(resolve => setTimeout(resolve, 300))
      for (const options of [{}, { heartbeat }]) {
        const { lagSeconds } = await lookAt(cluster.replicaUrl, options)
        expect(lagSeconds).to.be.within(0.3, (Date.now() - cutAt) / 1000 + 2)
      }
    } finally {
      await configure('reset primary_conninfo', true)
      await cluster.replicaCaughtUp()
    }
  })
})
