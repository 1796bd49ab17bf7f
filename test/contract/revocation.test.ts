import { expect } from 'chai'
import type { Ask } from '../harness/ask.ts'
import { run, sharedShops } from '../harness/shops.ts'
import type { Shops } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { gatewaysOfTests, statusesOf } from './gateways.ts'

const KEY = "hash = sha256('key of shop 1')"

describe('revocation', function () {
  this.timeout(60_000)
  const start = gatewaysOfTests()
  let shops: Shops
  before(async () => (shops = await sharedShops()))
  afterEach(() => shops.change(`update shop_keys set disabled = false where ${KEY}`))

  const revoke = (): Promise<unknown> =>
    run(shops.primaryUrl, `update shop_keys set disabled = true where ${KEY}`)

  /** Calls `during` while replay is paused. */
  async function whilePaused(during: () => Promise<void>): Promise<void> {
    await run(shops.replicaUrl, 'select pg_wal_replay_pause()')
    try {
      await during()
    } finally {
      await run(shops.replicaUrl, 'select pg_wal_replay_resume()')
    }
  }

  it('is effective from its commit with keys on the primary, which has at most two connections', async () => {
    const { ask } = await start({ KEYS_DATABASE_URL: shops.primaryUrl })
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
      expect(await run(shops.primaryUrl, connections)).to.have.length.within(1, 2)
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
    const { ask } = await start({ KEYS_MAX_LAG: '2s' })
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
    const KEYS_DATABASE_URL = `${shops.replicaUrl},${shops.primaryUrl}`
    const { ask } = await start({ KEYS_DATABASE_URL, KEYS_MAX_LAG: '2s' })
    await whilePaused(async () => {
      expect((await rejectionWithin(ask, 2000)).status).to.equal(401)
      expect(await statusesOf(ask, 100)).to.deep.equal([401])
    })
  })
})
