// What a run waits for in turn, each with a request that is out of time meanwhile.
import { expect } from 'chai'
import { Client } from 'pg'
import { replicaProblem } from '../../src/replica/classify-error.ts'
import { createReplica, type Replica } from '../../src/replica/replica.ts'
import type { RowSink } from '../../src/replica/run-statement.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { run as runSql, sharedShops, type Shops } from '../support/shops.ts'
import { until } from '../support/until.ts'
import { keepingSink } from './rows.ts'

/** Far longer than a test: what ends is ended by the deadline alone. */
const LONG_MS = 60_000

describe("a request's deadline", function () {
  this.timeout(30_000)
  let shops: Shops
  let proxy: Proxy
  let replica: Replica

  before(async () => {
    shops = await sharedShops()
    await shops.change('create table locked_table (n integer)')
  })
  after(() => shops.change('drop table locked_table'))
  beforeEach(async () => {
    proxy = await startProxy(shops.replicaUrl)
    replica = createReplica({
      connectionString: proxy.url,
      poolSize: 1,
      connectTimeoutMs: LONG_MS,
      allowPrimary: false,
      state: () => undefined,
      stateAgeMs: () => 0,
      observe: () => {},
      now: () => performance.now(),
    })
  })
  afterEach(async () => {
    await proxy.cut()
    await replica.close()
  })

  interface Started {
    /** The request is out of time. */
    readonly over: () => void
    readonly ended: Promise<unknown>
  }
  const OVER = replicaProblem('report_timeout', new Error('out of time'))

  function start(text: string, sink: RowSink = keepingSink()): Started {
    const deadline = new AbortController()
    const run = { name: 'x', alike: '1', text, preparedName: text.slice(0, 63), values: [] }
    const open = () => ({ sink, finish: () => {}, isOut: () => false })
    const ended = replica.run({ ...run, timeoutMs: LONG_MS, open, signal: deadline.signal }).then(
      () => 'answered',
      (error: unknown) => error,
    )
    return { over: () => deadline.abort(OVER), ended }
  }

  /** How many of our statements run or wait in the server, by what they wait for. */
  async function onServer(wait = '%'): Promise<number> {
    const rows = await runSql<{ count: string }>(
      shops.replicaUrl,
      `select count(*)::text from pg_stat_activity where application_name = 'svodka reports'
         and state = 'active' and coalesce(wait_event, '') like '${wait}' and datname = 'shops'`,
    )
    return Number(rows[0]?.count)
  }

  async function isWhole(): Promise<void> {
    await until(async () => (await onServer()) === 0)
    expect(replica.pool()).to.include({ inUse: 0, waiting: 0 })
  }

  it('ends the wait for a connection', async () => {
    proxy.drop()
    const { over, ended } = start('select 1')
    await until(() => replica.pool().inUse === 1)
    over()
    expect(await ended).to.equal(OVER)
  })

  it('ends the wait for a lock', async () => {
    const holder = new Client({ connectionString: shops.primaryUrl })
    await holder.connect()
    try {
      // What replay takes on the standby is what a change of the table takes on the primary.
      await holder.query('begin; lock table locked_table in access exclusive mode')
      await holder.query('select pg_current_xact_id()')
      await shops.cluster.replicaCaughtUp()
      const { over, ended } = start('select n from locked_table')
      await until(async () => (await onServer('relation')) === 1)
      over()
      expect(await ended).to.equal(OVER)
      await isWhole()
      const patient = start('select n from locked_table')
      expect(await patient.ended, 'at the end of lock_timeout').to.include({
        code: 'replica_unavailable',
      })
    } finally {
      await holder.end()
    }
  })

  it('ends a statement', async () => {
    const { over, ended } = start('select pg_sleep(50)')
    await until(async () => (await onServer('PgSleep')) === 1)
    over()
    expect(await ended).to.equal(OVER)
    await isWhole()
  })

  it('ends a statement whose server can no longer be told, on our side at once and on its side in the end', async () => {
    const { over, ended } = start('select pg_sleep(50)')
    await until(async () => (await onServer('PgSleep')) === 1)
    proxy.drop()
    over()
    expect(await ended).to.equal(OVER)
    expect(replica.pool()).to.include({ inUse: 0, waiting: 0 })
    expect(await onServer('PgSleep'), 'nobody could tell it').to.equal(1)
    await proxy.cut()
    await isWhole()
  })

  it('ends the wait for a reader who takes no more rows', async () => {
    const sink = keepingSink(rowCount => rowCount < 10)
    // In the select list, and not after `from`, where PostgreSQL would make all of it first.
    const { over, ended } = start(`select generate_series(1, 20000000), repeat('x', 1000)`, sink)
    await until(async () => sink.rowCount() >= 10 && (await onServer('ClientWrite')) === 1)
    over()
    expect(await ended).to.equal(OVER)
    await isWhole()
  })
})
