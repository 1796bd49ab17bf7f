import { expect } from 'chai'
import type { Ask } from '../harness/ask.ts'
import { run, sharedShops } from '../harness/shops.ts'
import type { Shops } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { gatewaysOfTests, statusesOf } from './gateways.ts'

describe('revocation', function () {
  this.timeout(60_000)
  const start = gatewaysOfTests()
  let shops: Shops
  before(async () => (shops = await sharedShops()))
  afterEach(() => shops.change('update shop_keys set disabled = false where shop_id = 1'))

  const revoke = (): Promise<unknown> =>
    run(shops.primaryUrl, 'update shop_keys set disabled = true where shop_id = 1')

  /** Nothing is replayed meanwhile. */
  async function whilePaused(during: () => Promise<void>): Promise<void> {
    await run(shops.replicaUrl, 'select pg_wal_replay_pause()')
    try {
      await during()
    } finally {
      await run(shops.replicaUrl, 'select pg_wal_replay_resume()')
    }
  }

  it('holds from its commit with keys at the primary, which has two connections and no more', async () => {
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

  /** @returns the first response that is not 200, and expects that none is 200 once the bound is over */
  async function refusalWithin(ask: Ask, maxMs: number): ReturnType<Ask> {
    await revoke()
    const revokedAt = performance.now()
    return until(async () => {
      const sinceRevoked = performance.now() - revokedAt
      const answer = await ask('/ping')
      if (answer.status === 200) expect(sinceRevoked).to.be.below(maxMs)
      return answer.status !== 200 && answer
    })
  }

  it('holds within KEYS_MAX_LAG on a replica, however long that replays nothing', async () => {
    const { ask } = await start({ KEYS_MAX_LAG: '2s' })
    expect((await ask('/reports/receipts')).status).to.equal(200)
    await whilePaused(async () => {
      const refused = await refusalWithin(ask, 2000)
      expect(refused.json.code).to.equal('access_unavailable')
      expect(Number(refused.headers.get('Retry-After'))).to.be.within(1, 120)
      expect(await statusesOf(ask, 300)).to.deep.equal([503])
    })
    await until(async () => (await ask('/ping')).status === 401)
  })

  it('is found at the next database where the first is too far behind', async () => {
    const KEYS_DATABASE_URL = `${shops.replicaUrl},${shops.primaryUrl}`
    const { ask } = await start({ KEYS_DATABASE_URL, KEYS_MAX_LAG: '2s' })
    await whilePaused(async () => {
      expect((await refusalWithin(ask, 2000)).status).to.equal(401)
      expect(await statusesOf(ask, 100)).to.deep.equal([401])
    })
  })
})
