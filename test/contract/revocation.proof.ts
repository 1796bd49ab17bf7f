import { expect } from 'chai'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { run, sharedShops } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { statusesOf } from './gateways.ts'

describe('revocation', () => {
  const start = gatewaysOfTests()

  it('is effective from its commit on a replica if it is committed with remote_apply', async () => {
    const shops = await sharedShops()
    const { ask } = await start()
    const admin = (sql: string): Promise<unknown> => run(shops.primaryUrl, sql)
    const untilFound = (from: string) =>
      until(async () => (await run(shops.primaryUrl, `select from ${from}`)).length === 1)
    await admin(`alter system set synchronous_commit = 'local'`)
    await admin(`alter system set synchronous_standby_names = 'standby'`)
    await admin('select pg_reload_conf()')
    const set = (disabled: boolean): Promise<unknown> =>
      admin(`begin; set local synchronous_commit = remote_apply;
        update shop_keys set disabled = ${disabled} where hash = sha256('key of shop 1'); commit`)
    try {
      await untilFound(`pg_stat_replication where sync_state = 'sync'`)
      for (let turn = 0; turn < 20; turn += 1) {
        await set(true)
        expect(await statusesOf(ask, 50)).to.deep.equal([401])
        await set(false)
        expect(await statusesOf(ask, 50)).to.deep.equal([200])
      }
      await run(shops.replicaUrl, 'select pg_wal_replay_pause()')
      const revoked = set(true)
      await untilFound(`pg_stat_activity where wait_event = 'SyncRep'`)
      await run(shops.replicaUrl, 'select pg_wal_replay_resume()')
      await revoked
      expect(await statusesOf(ask, 50)).to.deep.equal([401])
      await set(false)
    } finally {
      await run(shops.replicaUrl, 'select pg_wal_replay_resume()')
      await admin('alter system reset synchronous_standby_names')
      await admin('alter system reset synchronous_commit')
      await admin('select pg_reload_conf()')
    }
  })

  it('rejects no key while the primary is idle', async () => {
    const { ask } = await start({ KEYS_MAX_LAG: '4s' })
    const end = performance.now() + 5000
    while (performance.now() < end) {
      expect((await ask('/ping')).status).to.equal(200)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  })
})
