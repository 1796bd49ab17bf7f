import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { createProbe } from '../../src/serve/database/probe.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { startProxy } from '../harness/proxy.ts'
import { run } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { change } from './execute.ts'
import { probeOnce } from './probe-once.ts'
import { casesOf } from './table.ts'

/** SQL executed before each case, the lag, and the error of the heartbeat. */
const HEARTBEATS = `
  reports an unknown lag, not 0, if its role may not read it | truncate probed | unknown | permission denied
  reports an unknown lag without a row | grant select on probed to svodka_reports | unknown | 0 rows, expected one
  knows the lag from the heartbeat alone | insert into probed values (now()) | 0 s | undefined
  reports 0, and no data of the future, if the primary's clock is ahead | update probed set written_at = now() + interval '30 s' | 0 s | undefined
  reports an unknown lag with two rows | insert into probed values (now()) | unknown | 2 rows, expected one
`

describe('a probe', () => {
  let cluster: Cluster
  let probeUrl: string
  /** A role without pg_read_all_stats sees as little as on an archive standby or a managed replica. */
  let blindUrl: string

  before(async () => {
    cluster = await sharedCluster()
    probeUrl = cluster.urlFor('svodka_probe', 'replica')
    blindUrl = cluster.urlFor('svodka_reports', 'replica')
    await change(cluster, 'create table probed (written_at timestamptz not null)')
  })
  after(() => change(cluster, 'drop table probed'))

  it('finds a hot standby that has caught up, as the probe role', async () => {
    const state = await probeOnce(probeUrl)
    expect(state).to.include({ inRecovery: true, usable: true, replayPaused: false })
    expect(state.lagSeconds).to.be.within(0, 40)
    expect(Date.parse(state.dataAsOf!)).to.be.within(Date.now() - 40_000, Date.now())
  })

  it('does not know the lag as a role without pg_read_all_stats', async () => {
    const state = await probeOnce(blindUrl)
    expect(state.lagSeconds).to.equal(undefined)
    expect(state.dataAsOf).to.be.a('string')
  })

  it('detects that replay is paused, with a growing lag', async () => {
    await run(cluster.replicaUrl, 'select pg_wal_replay_pause()')
    try {
      await run(cluster.primaryUrl, 'create table unseen (); drop table unseen')
      const first = await probeOnce(probeUrl)
      await new Promise(resolve => setTimeout(resolve, 300))
      const second = await probeOnce(probeUrl)
      expect(second.replayPaused).to.equal(true)
      expect(second.lagSeconds).to.be.greaterThan(first.lagSeconds!)
      expect(second.dataAsOf).to.equal(first.dataAsOf)
    } finally {
      await run(cluster.replicaUrl, 'select pg_wal_replay_resume()')
    }
  })

  it('recognizes a writable server', async () => {
    const { primaryUrl } = cluster
    expect(await probeOnce(primaryUrl)).to.include({ inRecovery: false, usable: false })
    const allowed = await probeOnce(primaryUrl, { allowPrimary: true })
    expect(allowed).to.include({ usable: true, lagSeconds: 0 })
  })

  it('is not late if the response arrived while this process stalled', async () => {
    let heartbeat: string | undefined
    const kinds: string[] = []
    const probe = createProbe({
      connectionString: probeUrl,
      connectTimeoutMs: 500,
      allowPrimary: false,
      heartbeat: () => heartbeat,
      observe: ({ kind }) => kinds.push(kind),
      random: () => 0,
    })
    try {
      await probe.probeNow(10_000)
      heartbeat = 'select (extract(epoch from now()) * 1000)::bigint::text from pg_sleep(0.2)'
      const probed = probe.probeNow(10_000)
      await new Promise(resolve => setTimeout(resolve, 100))
      // why: after an immediate, timers run before sockets
      await new Promise(setImmediate)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
      await probed
      expect(kinds.filter(kind => kind.startsWith('replica-probe'))).to.deep.equal([
        'replica-probed',
        'replica-probed',
      ])
    } finally {
      await probe.stop()
    }
  })

  it('probes twice for a new state if the first response is late', async () => {
    const proxy = await startProxy(probeUrl)
    let failures = 0
    const probe = createProbe({
      connectionString: proxy.url,
      connectTimeoutMs: 500,
      allowPrimary: false,
      observe: ({ kind }) => void (kind === 'replica-probe-failed' && (failures += 1)),
      random: () => 0,
    })
    try {
      proxy.drop()
      const probed = probe.probeNow(10_000)
      await until(() => failures === 1)
      proxy.carry()
      await probed
      expect(probe.state()).to.include({ inRecovery: true })
    } finally {
      await probe.stop()
      await proxy.cut()
    }
  })

  it('reports an unreachable database, repeats, and ends all waits when it is stopped', async () => {
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
    // why: a pending connection would hold its pool open for this time
    await probe.probeNow(10 * 60_000)
  })

  describe("with the product's heartbeat", () => {
    // why: `?` is an operator of jsonb, not a placeholder
    const heartbeat = `select written_at from probed where '{"a": 1}'::jsonb ? 'a'`

    for (const [title = '', sql = '', lag, error = ''] of casesOf(HEARTBEATS)) {
      it(title, async () => {
        await change(cluster, sql)
        const state = await probeOnce(blindUrl, { heartbeat })
        const { lagSeconds, dataAsOf } = state
        expect(lagSeconds === undefined ? 'unknown' : `${Math.floor(lagSeconds)} s`).to.equal(lag)
        expect(String(state.heartbeatError)).to.contain(error)
        if (dataAsOf) expect(Date.parse(dataAsOf)).to.be.at.most(Date.now() + 1000)
      })
    }
  })

  it('uses the last commit and the heartbeat without a WAL receiver, as on an archive standby', async () => {
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
        const { lagSeconds } = await probeOnce(cluster.replicaUrl, options)
        expect(lagSeconds).to.be.within(0.3, (Date.now() - cutAt) / 1000 + 2)
      }
    } finally {
      await configure('reset primary_conninfo', true)
      await cluster.replicaCaughtUp()
    }
  })
})
