// One name behind which two standbys stand, as behind a TCP balancer: what a connection shows must be the probed server's.
import { expect } from 'chai'
import type { Ask } from '../harness/ask.ts'
import type { TestGateway } from '../harness/gateway.ts'
import { needsPgBouncer, startPgBouncer, type PgBouncer } from '../harness/pgbouncer.ts'
import { startProxy, type Proxy } from '../harness/proxy.ts'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { run, sharedShops, type Shops } from '../harness/shops.ts'
import { shopsStandby } from '../harness/shops-standby.ts'
import { until } from '../harness/until.ts'
import { coldPath, readyz } from './gateways.ts'

const KEY = "hash = sha256('key of shop 1')"
const WATCHED = `select from pg_stat_activity where datname = 'shops' and application_name = `

describe('one name of two standbys', () => {
  const start = gatewaysOfTests()
  const second = shopsStandby('shared')
  let shops: Shops
  let urls: string[]
  let proxy: Proxy
  let days = 0

  before(async () => {
    shops = await sharedShops()
    urls = [shops.replicaUrl, second.url]
  })
  beforeEach(async () => {
    // why: `commit` has receipts for 2,000 days, and each gateway has a cache of its own
    days = 0
    proxy = await startProxy(urls[0]!, urls[1]!)
  })
  afterEach(async () => {
    await proxy.cut()
    // why: a replay that was paused may conflict with the statement that resumes it
    const resumed = (url: string) =>
      run(url, 'select pg_wal_replay_resume()').then(
        () => true,
        () => false,
      )
    for (const url of urls) await until(() => resumed(url))
    await run(shops.primaryUrl, `update shop_keys set disabled = false where ${KEY}`)
    await run(shops.primaryUrl, `delete from receipts where id > 900000`)
  })

  /** Requests 24 reports at once, each of an execution of its own. */
  const askMany = (ask: Ask) =>
    Promise.all(Array.from({ length: 24 }, () => ask(coldPath('receipts', (days += 1)))))

  /** Commits a receipt for each day, which only the server that is not paused replays. @returns the instant after it */
  async function commit(replayedAt: string): Promise<string> {
    const [row] = await run<{ at: Date; end: string }>(
      shops.primaryUrl,
      `insert into receipts (id, shop_id, sold_at, amount_kopecks)
         select 900000 + day, 1, timestamptz '2020-01-01 12:00+00' + day * interval '1 day', 100
         from generate_series(1, 2000) as day;
       select clock_timestamp() as at, pg_current_wal_lsn()::text as end`,
    )
    const isReplayed = `select from (select) as one where pg_last_wal_replay_lsn() >= '${row!.end}'`
    await until(async () => (await run(replayedAt, isReplayed)).length === 1)
    return row!.at.toISOString()
  }

  const lacking = (responses: Awaited<ReturnType<typeof askMany>>, committedAt: string) =>
    responses.filter(
      ({ status, headers, json }) =>
        status === 200 &&
        (headers.get('Data-As-Of') ?? '') >= committedAt &&
        (json as { rows: unknown[] }).rows.length === 0,
    ).length

  /** @param retry called while a response does not have the data yet */
  async function untilAsOf(ask: Ask, committedAt: string, retry?: () => void): Promise<void> {
    await until(async () => {
      const { headers } = await ask(coldPath('receipts', (days += 1)))
      const isReached = (headers.get('Data-As-Of') ?? '') >= committedAt
      if (!isReached) retry?.()
      return isReached
    })
  }

  async function expectDegraded(gateway: TestGateway, line: RegExp): Promise<void> {
    await until(async () => line.test(await readyz(gateway)))
    expect(await readyz(gateway)).to.match(/^200 /)
  }

  /** The server of the probe's connection, then the other one. */
  async function probedFirst(): Promise<[string, string]> {
    const isProbed = (await run(urls[0]!, `${WATCHED} 'svodka probe'`)).length > 0
    return isProbed ? [urls[0]!, urls[1]!] : [urls[1]!, urls[0]!]
  }

  it('shows the data and the keys of the probed one only, and readiness says what to write instead', async () => {
    const { gateway, ask } = await start({ DATABASE_URL: proxy.url })
    const [probed, other] = await probedFirst()
    await run(other, 'select pg_wal_replay_pause()')
    const committedAt = await commit(probed)
    await untilAsOf(ask, committedAt)
    const responses = await askMany(ask)
    expect(lacking(responses, committedAt)).to.equal(0)
    const refused = responses.filter(({ status }) => status !== 200)
    expect(refused.map(({ json }) => json)).to.deep.equal([])
    for (const pool of ['reports', 'keys'])
      await until(async () => (await run(other, `${WATCHED} 'svodka ${pool}'`)).length === 0)
    await expectDegraded(
      gateway,
      /\[\+\]replica \S+ degraded: connections lead to 127\.0\.0\.1:\d+ and 127\.0\.0\.1:\d+, .* write each server's own name into DATABASE_URL/,
    )
    await run(shops.primaryUrl, `update shop_keys set disabled = true where ${KEY}`)
    await until(
      async () =>
        (await run(probed, `select from shop_keys where not disabled and ${KEY}`)).length === 0,
    )
    const pings = await Promise.all(Array.from({ length: 24 }, () => ask('/ping')))
    expect(new Set(pings.map(({ status }) => status))).to.deep.equal(new Set([401]))
  })

  it('serves again after the balancer has moved all connections', async () => {
    const { ask } = await start({ DATABASE_URL: proxy.url })
    for (let time = 0; time < 3; time += 1) {
      await askMany(ask)
      proxy.reset()
      await until(async () => (await askMany(ask)).every(({ status }) => status === 200))
      // why: the backend of a refused connection ends a moment after it was closed
      await until(async () => {
        const [, other] = await probedFirst()
        return (await run(other, `${WATCHED} 'svodka reports'`)).length === 0
      })
    }
  })

  describe('behind PgBouncer', () => {
    let pgBouncer: PgBouncer | undefined
    before(function () {
      needsPgBouncer(this)
    })
    beforeEach(async () => {
      pgBouncer = await startPgBouncer({ mode: 'transaction', serverUrls: [proxy.url] })
    })
    afterEach(() => pgBouncer?.stop())

    it('shows the data of the probed one only, and readiness says so', async () => {
      const DATABASE_URL = pgBouncer!.urlFor(shops.replicaUrl)
      const { gateway, ask } = await start({ DATABASE_URL, KEYS_DATABASE_URL: shops.primaryUrl })
      await run(urls[1]!, 'select pg_wal_replay_pause()')
      const committedAt = await commit(urls[0]!)
      // why: all connections of the pooler may lead to the paused one
      await untilAsOf(ask, committedAt, () => proxy.reset())
      for (let time = 0; time < 3; time += 1) {
        const responses = await askMany(ask)
        expect(lacking(responses, committedAt)).to.equal(0)
        expect(responses.some(({ status }) => status === 200)).to.equal(true)
      }
      await expectDegraded(gateway, /\[\+\]replica \S+ degraded: connections lead to .*pooler/)
    })
  })
})
