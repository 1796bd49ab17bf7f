import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import type { Ask } from '../support/ask.ts'
import { startGateway } from '../support/gateway.ts'
import type { TestGateway } from '../support/gateway.ts'
import { run, sharedShops, shopsEnvironment } from '../support/shops.ts'
import type { Shops } from '../support/shops.ts'
import { until } from '../support/until.ts'

describe('revocation', function () {
  this.timeout(60_000)
  let shops: Shops
  let gateway: TestGateway
  let ask: Ask
  before(async () => {
    shops = await sharedShops()
  })
  afterEach(async () => {
    await gateway?.stop()
    await shops.change('update shop_keys set disabled = false where shop_id = 1')
  })

  async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
    gateway = await startGateway({ ...shopsEnvironment(shops), ...environment })
    await gateway.ready()
    ask = asker(gateway.url, 'key of shop 1')
  }
  const revoke = (): Promise<unknown> =>
    run(shops.primaryUrl, 'update shop_keys set disabled = true where shop_id = 1')
  const pause = (): Promise<unknown> => run(shops.replicaUrl, 'select pg_wal_replay_pause()')
  const resume = (): Promise<unknown> => run(shops.replicaUrl, 'select pg_wal_replay_resume()')
  const statusesOf = async (count: number): Promise<number[]> =>
    Array.from(
      new Set(
        (await Promise.all(Array.from({ length: count }, () => ask('/ping')))).map(s => s.status),
      ),
    )

  it('holds from its commit with keys at the primary, which has two connections and no more', async () => {
    await serve({ KEYS_DATABASE_URL: shops.primaryUrl })
    expect((await ask('/reports/receipts')).status).to.equal(200)
    const { replica } = shops.cluster
    await replica.stop()
    try {
      for (let request = 0; request < 100; request += 1) {
        const kept = await ask('/reports/receipts')
        expect([kept.status, kept.headers.get('Cache-Status')?.slice(0, 11)]).to.deep.equal([
          200,
          'svodka; hit',
        ])
      }
      expect(await statusesOf(200)).to.deep.equal([200])
      const [found] = await run<{ count: string }>(
        shops.primaryUrl,
        `select count(*) from pg_stat_activity where application_name like 'svodka%'
         and datname = 'shops'`,
      )
      expect(Number(found?.count)).to.be.within(1, 2)
      await revoke()
      expect(await statusesOf(1000)).to.deep.equal([401])
      expect((await ask('/reports/receipts')).status).to.equal(401)
    } finally {
      await replica.start()
      await shops.cluster.replicaCaughtUp()
    }
  })

  it('holds within KEYS_MAX_LAG on a replica, however long that replays nothing', async () => {
    await serve({ KEYS_MAX_LAG: '4s' })
    expect((await ask('/reports/receipts')).status).to.equal(200)
    await pause()
    try {
      await revoke()
      const revokedAt = performance.now()
      const refused = await until(async () => {
        const sinceRevoked = performance.now() - revokedAt
        const answer = await ask('/reports/receipts')
        if (answer.status === 200) expect(sinceRevoked).to.be.below(4000)
        return answer.status !== 200 && answer
      })
      expect(refused.json.code).to.equal('access_unavailable')
      expect(Number(refused.headers.get('Retry-After'))).to.be.within(1, 120)
      expect(await statusesOf(1000)).to.deep.equal([503])
    } finally {
      await resume()
    }
    await until(async () => (await ask('/ping')).status === 401)
  })

  it('is found at the next database where the first is too far behind', async () => {
    await serve({
      KEYS_DATABASE_URL: `${shops.replicaUrl},${shops.primaryUrl}`,
      KEYS_MAX_LAG: '4s',
    })
    await pause()
    try {
      await revoke()
      await until(async () => {
        const { status } = await ask('/ping')
        expect(status).to.be.oneOf([200, 401])
        return status === 401
      })
      expect(await statusesOf(100)).to.deep.equal([401])
    } finally {
      await resume()
    }
  })

  it('holds from its commit on a replica too, where the product commits it by remote_apply', async () => {
    await serve({})
    const admin = (sql: string): Promise<unknown> => run(shops.primaryUrl, sql)
    await admin(`alter system set synchronous_commit = 'local'`)
    await admin(`alter system set synchronous_standby_names = 'standby'`)
    await admin('select pg_reload_conf()')
    const set = (disabled: boolean): Promise<unknown> =>
      admin(`begin; set local synchronous_commit = remote_apply;
        update shop_keys set disabled = ${disabled} where shop_id = 1; commit`)
    try {
      await until(async () => {
        const rows = await run(
          shops.primaryUrl,
          `select from pg_stat_replication where sync_state = 'sync'`,
        )
        return rows.length === 1
      })
      for (let turn = 0; turn < 20; turn += 1) {
        await set(true)
        expect(await statusesOf(50)).to.deep.equal([401])
        await set(false)
        expect(await statusesOf(50)).to.deep.equal([200])
      }
      await pause()
      const revoked = set(true)
      await until(async () => {
        const rows = await run(
          shops.primaryUrl,
          `select from pg_stat_activity where wait_event = 'SyncRep'`,
        )
        return rows.length === 1
      })
      await resume()
      await revoked
      expect(await statusesOf(50)).to.deep.equal([401])
    } finally {
      await resume()
      await admin('alter system reset synchronous_standby_names')
      await admin('alter system reset synchronous_commit')
      await admin('select pg_reload_conf()')
    }
  })

  it('raises no alarm on an idle primary', async () => {
    await serve({ KEYS_MAX_LAG: '4s' })
    const end = performance.now() + 5000
    while (performance.now() < end) {
      expect((await ask('/ping')).status).to.equal(200)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  })
})
