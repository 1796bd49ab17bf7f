import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { expect } from 'chai'
import { Client } from 'pg'
import { createReplica, type Replica } from '../../src/replica/replica.ts'
import type { RowSink } from '../../src/replica/run-statement.ts'
import { sharedCluster } from '../support/cluster.ts'
import { startProxy } from '../support/proxy.ts'
import { run as runSql } from '../support/shops.ts'
import { until } from '../support/until.ts'
import { keepingSink } from './rows.ts'

const LATCH = 20_261_122
/** Waits until the test lets go of the latch. */
const WAITS = `select pg_advisory_xact_lock_shared(${LATCH})::text, 'waits'`
/** Of a backend that looks for no interrupt of its own accord, as one in a long sort. */
const COMPUTES = `select count(*)::text from generate_series(1, 100000000) as n, generate_series(1, 100) as m`

describe('whoever leaves a run', () => {
  let url: string
  let latch: Client
  const opened: Replica[] = []

  before(async function () {
    this.timeout(30_000)
    url = (await sharedCluster()).replicaUrl
    latch = new Client({ connectionString: url })
    await latch.connect()
    await latch.query(`select pg_advisory_lock(${LATCH})`)
  })
  after(() => latch.end())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(replica => replica.close()))
  })

  function replicaAt(
    connectionString: string,
    options: { poolSize?: number; connectTimeoutMs?: number; stateAgeMs?: () => number } = {},
  ): Replica {
    const replica = createReplica({
      connectionString,
      poolSize: 1,
      connectTimeoutMs: 5000,
      allowPrimary: false,
      state: () => undefined,
      stateAgeMs: () => 0,
      observe: () => {},
      now: () => performance.now(),
      ...options,
    })
    opened.push(replica)
    return replica
  }

  interface Running {
    readonly leave: () => void
    /** The reason, or undefined where it ended well. */
    readonly ended: Promise<unknown>
  }

  function running(
    replica: Replica,
    text: string,
    timeoutMs = 10_000,
    sink: RowSink = keepingSink(),
  ): Running {
    const controller = new AbortController()
    const run = { name: 'x', alike: '1', text, preparedName: text.slice(0, 63) }
    const ended = replica
      .run({
        ...run,
        values: [],
        timeoutMs,
        open: () => ({ sink, finish: () => {}, isOut: () => false }),
        signal: controller.signal,
      })
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    return { leave: () => controller.abort(new Error('left')), ended }
  }

  /** Process ids of what our connections are running. */
  async function active(): Promise<number[]> {
    const rows = await runSql<{ pid: number }>(
      url,
      `select pid from pg_stat_activity
       where application_name = 'svodka reports' and state = 'active' and datname = current_database()`,
    )
    return rows.map(({ pid }) => pid)
  }

  const letGo = () => latch.query(`select pg_advisory_unlock(${LATCH})`)
  const holdOn = () => latch.query(`select pg_advisory_lock(${LATCH})`)

  for (const [what, text] of [
    ['waits for a lock', WAITS],
    ['computes', COMPUTES],
  ] as const) {
    it(`leaves no statement behind that ${what}`, async () => {
      const { leave, ended } = running(replicaAt(url), text)
      await until(async () => (await active()).length === 1)
      leave()
      expect(await ended).to.include({ message: 'left' })
      await until(async () => (await active()).length === 0)
    })
  }

  it('leaves a connection that is being made, which others then have', async () => {
    const proxy = await startProxy(url)
    proxy.drop()
    const replica = replicaAt(proxy.url, { connectTimeoutMs: 300 })
    const first = running(replica, 'select 1')
    await until(() => replica.pool().inUse === 1)
    first.leave()
    expect(await first.ended).to.include({ message: 'left' })
    proxy.carry()
    await until(async () => (await running(replica, 'select 1').ended) === undefined)
    await proxy.cut()
  })

  it('leaves a connection that does not say whether it is in recovery', async () => {
    let age = 0
    const proxy = await startProxy(url)
    const replica = replicaAt(proxy.url, { stateAgeMs: () => age })
    expect(await running(replica, 'select 1').ended).to.equal(undefined)
    age = 60_000
    proxy.drop()
    const hung = running(replica, 'select 1')
    await until(() => replica.pool().inUse === 1)
    hung.leave()
    expect(await hung.ended).to.include({ message: 'left' })
    proxy.carry()
    expect(await running(replica, 'select 1').ended).to.equal(undefined)
    await proxy.cut()
  })

  describe('and a server that is silent', () => {
    const POOL = 3

    /** As many runs at once as there are connections, each with one of its own. */
    async function isWhole(replica: Replica): Promise<boolean> {
      const runs = Array.from({ length: POOL }, () => running(replica, WAITS))
      await until(async () => (await active()).length === POOL)
      await letGo()
      const ends = await Promise.all(runs.map(({ ended }) => ended))
      await holdOn()
      return ends.every(end => end === undefined) && replica.pool().inUse === 0
    }

    it('ends a run in its time where its backend is stopped, and the pool is whole again', async () => {
      const replica = replicaAt(url, { poolSize: POOL })
      expect(await isWhole(replica)).to.equal(true)
      const hung = running(replica, WAITS, 500)
      const [pid] = await until(async () => {
        const pids = await active()
        return pids.length === 1 && pids
      })
      process.kill(pid!, 'SIGSTOP')
      try {
        expect(await hung.ended).to.include({ code: 'report_timeout' })
        await until(async () => replica.pool().inUse === 0)
        const others = running(replica, 'select 1')
        expect(await others.ended).to.equal(undefined)
      } finally {
        process.kill(pid!, 'SIGCONT')
      }
      await until(async () => (await active()).length === 0)
      expect(await isWhole(replica)).to.equal(true)
    })

    it('ends a run whose rows no longer come, however long they have come', async () => {
      const replica = replicaAt(url, { poolSize: POOL })
      const sink = keepingSink()
      let from = 0
      const timed = {
        ...sink,
        begin(start: Parameters<typeof sink.begin>[0]) {
          from = performance.now()
          start.timeEachRow()
          sink.begin(start)
        },
      }
      // A row every 30 ms, for twice the time that it may take, and then none; the server sends 8 KB at once.
      const text = `select repeat('x', 10000), case when n = 20 then pg_advisory_xact_lock_shared(${LATCH}) else pg_sleep(0.03) end
        from generate_series(1, 30) as n`
      const hung = running(replica, text, 300, timed)
      expect(await hung.ended).to.include({ code: 'report_timeout' })
      expect(performance.now() - from).to.be.greaterThan(300)
      expect(sink.rowCount()).to.be.within(15, 19)
      await until(async () => (await active()).length === 0)
      expect(replica.pool().inUse).to.equal(0)
    })

    it('ends runs in their time where the network drops all packets, and the pool is whole again', async () => {
      const proxy = await startProxy(url)
      const replica = replicaAt(proxy.url, { poolSize: POOL, connectTimeoutMs: 500 })
      expect(await isWhole(replica)).to.equal(true)
      proxy.drop()
      const runs = Array.from({ length: POOL }, () => running(replica, 'select 1', 200))
      for (const { ended } of runs) expect(await ended).to.include({ code: 'report_timeout' })
      expect(replica.pool().inUse).to.equal(0)
      const later = running(replica, 'select 1', 200)
      expect(await later.ended).to.include({ code: 'replica_unavailable' })
      proxy.carry()
      expect(await isWhole(replica)).to.equal(true)
      await proxy.cut()
    })
  })

  it('does not wait for a server that takes connections and says nothing', async () => {
    const sockets = new Set<Socket>()
    const server = createServer(socket => void sockets.add(socket.on('error', () => {})))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const replica = replicaAt(`postgres://nobody@127.0.0.1:${port}/none`, { connectTimeoutMs: 100 })
    const first = running(replica, 'select 1')
    expect(await first.ended).to.include({ code: 'replica_unavailable' })
    expect(replica.pool()).to.include({ inUse: 0, waiting: 0 })
    for (const socket of sockets) socket.destroy()
    server.close()
  })
})
