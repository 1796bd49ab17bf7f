import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { startProxy } from '../harness/proxy.ts'
import { run, sharedShops, SHOPS_SQL_DIR } from '../harness/shops.ts'
import type { Shops } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { gatewaysOfTests, readyz, shopsFolder } from './gateways.ts'

describe('several replicas', function () {
  this.timeout(60_000)
  const start = gatewaysOfTests()
  let shops: Shops
  before(async () => (shops = await sharedShops()))

  it('that do not respond are not used until they do', async () => {
    // why: one standby with two addresses counts as two replicas
    const proxies = [await startProxy(shops.replicaUrl), await startProxy(shops.replicaUrl)]
    const { gateway, ask } = await start({
      DATABASE_URL: proxies.map(({ url }) => url).join(','),
      KEYS_DATABASE_URL: shops.primaryUrl,
    })
    const circuits = () =>
      new Set(gateway.observations.flatMap(one => (one.kind === 'circuit' ? [one.replica] : [])))
    await until(async () => !/replica \S+ degraded/.test(await readyz(gateway)))
    expect((await ask('/reports/receipts')).status).to.equal(200)
    shops.cluster.replica.pause()
    try {
      const hung = ask('/reports/receipts_by_month')
      await until(() => circuits().size === 2)
      for (const pending of [hung, ask('/reports/receipts_by_month?from=2026-05-01')]) {
        const { status, json } = await pending
        expect([status, json.code]).to.deep.equal([503, 'replica_unavailable'])
      }
      const text = await readyz(gateway)
      expect(text).to.match(/^200 /)
      expect(text).to.match(/\[\+\]answers degraded: no replica, \d+ cached responses/)
    } finally {
      shops.cluster.replica.resume()
    }
    await until(async () => (await ask('/reports/receipts_by_month')).status === 200)
    for (const proxy of proxies) await proxy.cut()
  })

  it('are not used only for a report whose maxLag they exceed', async () => {
    const path = 'reports/sales/receipts.sql'
    const text = readFileSync(`${SHOPS_SQL_DIR}/${path}`, 'utf8')
    const { ask } = await start({
      KEYS_DATABASE_URL: shops.primaryUrl,
      SQL_DIR: shopsFolder({ [path]: text.replace('\nkey:', '\nmaxLag: 4s\nkey:') }),
    })
    await until(async () => (await ask('/reports/receipts')).status === 200)
    await run(shops.replicaUrl, 'select pg_wal_replay_pause()')
    try {
      await run(shops.primaryUrl, `select pg_logical_emit_message(true, 'test', 'more to replay')`)
      const stale = await until(async () => {
        const response = await ask('/reports/receipts')
        return /detail=stale/.test(response.headers.get('Cache-Status') ?? '') && response
      })
      expect(stale.status).to.equal(200)
      const cold = await ask('/reports/receipts?from=2026-02-01')
      expect([cold.status, cold.json.code]).to.deep.equal([503, 'replica_unavailable'])
      expect((await ask('/reports/receipts_by_month')).status).to.equal(200)
    } finally {
      await run(shops.replicaUrl, 'select pg_wal_replay_resume()')
    }
    await until(async () => (await ask('/reports/receipts?from=2026-02-01')).status === 200)
  })
})
