// Settings that a role or its database hands down, and that would refuse, end or change what the gateway executes.
import { expect } from 'chai'
import { fixtures } from '../harness/fixtures.ts'
import { needsPgBouncer, startPgBouncer, type PgBouncer } from '../harness/pgbouncer.ts'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { sharedShops, type Shops } from '../harness/shops.ts'
import { readyz, shopsFolder, urlAs } from './gateways.ts'

const FLOATS = [{ name: String.raw`3.141592653589793 null \n`, value: 1 }]

describe('settings that a role hands down', () => {
  const start = gatewaysOfTests()
  const SQL_DIR = shopsFolder(fixtures('reports/sales/floats'))
  let shops: Shops
  let url: string
  let pgBouncer: PgBouncer | undefined
  before(async () => {
    shops = await sharedShops()
    url = urlAs('heir', shops.replicaUrl)
    await shops.change(
      `create role heir login password 'heir';
       grant pg_read_all_data, pg_read_all_stats to heir;
       alter role heir set default_transaction_isolation = 'serializable';
       alter role heir set default_transaction_deferrable = on;
       alter role heir set transaction_timeout = '700ms'`,
    )
  })
  after(() => shops.change('drop role heir'))

  it('do not refuse or end sessions, and do not change figures', async () => {
    await shops.change(
      `alter role heir set idle_session_timeout = '300ms';
       alter role heir set exit_on_error = on;
       alter role heir set extra_float_digits = -3;
       alter role heir set transform_null_equals = on;
       alter role heir set standard_conforming_strings = off`,
    )
    const { gateway, ask } = await start({ DATABASE_URL: url, SQL_DIR })
    const noCache = { headers: { 'Cache-Control': 'no-cache' } }
    for (let time = 0; time < 3; time += 1) {
      expect((await ask('/reports/receipts', noCache)).status).to.equal(200)
      await new Promise(resolve => setTimeout(resolve, 400))
    }
    const { json } = await ask('/reports/floats')
    expect((json as { rows: unknown }).rows).to.deep.equal(FLOATS)
    expect((await ask('/reports/sleeps')).json).to.include({ status: 504, code: 'report_timeout' })
    expect(await readyz(gateway)).to.match(/\[\+\]replica \S+ ok/)
    const kinds = new Set(gateway.observations.map(({ kind }) => kind))
    expect([...kinds]).not.to.include.members(['circuit'])
    expect([...kinds]).not.to.include.members(['connection-lost'])
  })

  it('change nothing behind PgBouncer either', async function () {
    needsPgBouncer(this)
    await shops.change(
      `alter role heir set DateStyle = 'German, DMY';
       alter role heir set TimeZone = 'Asia/Tokyo';
       alter role heir set IntervalStyle = 'sql_standard';
       alter role heir set bytea_output = 'escape'`,
    )
    pgBouncer = await startPgBouncer({ mode: 'transaction', serverUrls: [url] })
    try {
      const pooledUrl = pgBouncer.urlFor(url)
      const { ask } = await start({
        DATABASE_URL: pooledUrl,
        KEYS_DATABASE_URL: pooledUrl,
        SQL_DIR,
      })
      expect((await ask('/reports/receipts')).status).to.equal(200)
      expect(((await ask('/reports/floats')).json as { rows: unknown }).rows).to.deep.equal(FLOATS)
      expect((await ask('/reports/sleeps')).json).to.include({ code: 'report_timeout' })
    } finally {
      await pgBouncer.stop()
    }
  })
})
