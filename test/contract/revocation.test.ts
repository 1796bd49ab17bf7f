import { expect } from 'chai'
import type { Ask } from '../harness/ask.ts'
import { fixture } from '../harness/fixtures.ts'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { run, sharedShops, untilExecuting, type Shops } from '../harness/shops.ts'
import { shopsStandby } from '../harness/shops-standby.ts'
import { until } from '../harness/until.ts'
import { folderWithHeldReport, holdReports, statusesOf } from './gateways.ts'

const KEY = "hash = sha256('key of shop 1')"

describe('revocation', () => {
  const start = gatewaysOfTests()
  let shops: Shops
  // why: while replay of the shared one is paused, other tests find no keys that are new enough
  const standby = shopsStandby('paused')
  before(async () => (shops = await sharedShops()))
  afterEach(() => shops.change(`update shop_keys set disabled = false where ${KEY}`))

  const revoke = (): Promise<unknown> =>
    run(shops.primaryUrl, `update shop_keys set disabled = true where ${KEY}`)

  /** Calls `during` while replay is paused. */
  async function whilePaused(during: () => Promise<void>): Promise<void> {
    await run(standby.url, 'select pg_wal_replay_pause()')
    try {
      await during()
    } finally {
      await run(standby.url, 'select pg_wal_replay_resume()')
    }
  }

  it('is effective from its commit with keys on the primary, which has at most four connections, one of a probe', async () => {
    const { ask } = await start({ DATABASE_URL: standby.url, KEYS_DATABASE_URL: shops.primaryUrl })
    const cacheStatus = async (): Promise<string> => {
      const { headers } = await ask('/reports/receipts')
      return String(headers.get('Cache-Status')).slice(0, 11)
    }
    expect(await cacheStatus()).to.equal('svodka; fwd')
    await whilePaused(async () => {
      expect(await cacheStatus()).to.equal('svodka; hit')
      expect(await statusesOf(ask, 200)).to.deep.equal([200])
      const connections = `select from pg_stat_activity
        where application_name like 'svodka%' and datname = 'shops'`
      expect(await run(shops.primaryUrl, connections)).to.have.length.within(1, 4)
      await revoke()
      expect(await statusesOf(ask, 300)).to.deep.equal([401])
      expect((await ask('/reports/receipts')).status).to.equal(401)
    })
  })

  /** Expects no 200 after `maxMs`. @returns the first response that is not 200 */
  async function rejectionWithin(ask: Ask, maxMs: number): ReturnType<Ask> {
    await revoke()
    const revokedAt = performance.now()
    return until(async () => {
      const sinceRevoked = performance.now() - revokedAt
      const response = await ask('/ping')
      if (response.status === 200) expect(sinceRevoked).to.be.below(maxMs)
      return response.status !== 200 && response
    })
  }

  it('is effective within KEYS_MAX_LAG on a replica with paused replay', async () => {
    const { ask } = await start({ DATABASE_URL: standby.url, KEYS_MAX_LAG: '2s' })
    expect((await ask('/reports/receipts')).status).to.equal(200)
    await whilePaused(async () => {
      const rejected = await rejectionWithin(ask, 2000)
      expect(rejected.json.code).to.equal('access_unavailable')
      expect(Number(rejected.headers.get('Retry-After'))).to.be.within(1, 120)
      expect(await statusesOf(ask, 300)).to.deep.equal([503])
    })
    await until(async () => (await ask('/ping')).status === 401)
  })

  it('is found in the next database if the first lags too much', async () => {
    const KEYS_DATABASE_URL = `${standby.url},${shops.primaryUrl}`
    const { ask } = await start({
      DATABASE_URL: standby.url,
      KEYS_DATABASE_URL,
      KEYS_MAX_LAG: '2s',
    })
    await whilePaused(async () => {
      expect((await rejectionWithin(ask, 2000)).status).to.equal(401)
      expect(await statusesOf(ask, 100)).to.deep.equal([401])
    })
  })
})

/** A report that waits until the test lets it go, and may be compared. */
const SLOW = fixture('reports/sales/waiting')

describe('a key that is revoked during a slow report', () => {
  const start = gatewaysOfTests()
  const SQL_DIR = folderWithHeldReport({
    'reports/sales/waiting.sql': SLOW,
    'reports/sales/failing.sql': SLOW.replace(
      'hold(:organization_id)',
      'fail(hold(:organization_id))',
    ),
  })

  for (const [name, path, maxCachedBytes] of [
    ['from memory', '/reports/waiting', undefined],
    ['from a file', '/reports/waiting', 1],
    ['merged of two', '/reports/waiting?compare=previous', undefined],
    ['that is a problem', '/reports/failing', undefined],
    ['that the client has cached', '/reports/waiting?from=2026-01-02', undefined],
  ] as const) {
    it(`gets 401 without a byte of a response ${name}`, async () => {
      const shops = await sharedShops()
      const key = `key of ${name}`
      const hash = `hash = sha256('${key}')`
      await shops.change(`insert into shop_keys values (sha256('${key}'), 1, false)`)
      const limits = maxCachedBytes === undefined ? {} : { maxCachedBytes }
      const { ask } = await start({ SQL_DIR, KEYS_DATABASE_URL: shops.primaryUrl }, { limits })
      const release = await holdReports(shops)
      const headers = { 'Cache-Control': 'no-cache', 'If-None-Match': '*' }
      const response = ask(path, name.includes('client') ? { key, headers } : { key })
      await untilExecuting(shops, path.includes('compare') ? 2 : 1)
      await run(shops.primaryUrl, `delete from shop_keys where ${hash}`)
      await new Promise(resolve => setTimeout(resolve, 1000))
      await release()
      const { status, json } = await response
      expect([status, json.code]).to.deep.equal([401, 'api_key_invalid'])
      expect(json).to.not.have.any.keys('rows', 'compare')
    })
  }
})
