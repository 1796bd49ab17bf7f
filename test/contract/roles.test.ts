// Database roles with fewer privileges or connections than expected.
import { expect } from 'chai'
import { expectProblem } from '../harness/ask.ts'
import { metricOf } from '../harness/exposition.ts'
import { startProxy } from '../harness/proxy.ts'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { run, sharedShops, type Shops } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { coldPath, readyz, urlAs } from './gateways.ts'

describe('a role', () => {
  const start = gatewaysOfTests()
  let shops: Shops
  before(async () => {
    shops = await sharedShops()
    await shops.change(
      `create role two_connections login password 'two_connections' connection limit 2;
       grant pg_read_all_data to two_connections;
       create role without_zones login password 'without_zones';
       create role no_login nologin password 'no_login';
       create role of_keys login password 'of_keys';
       grant select on shops, shop_keys to of_keys;
       grant usage on schema public to without_zones;
       grant select on all tables in schema public to without_zones;
       revoke select on pg_catalog.pg_timezone_names from public`,
    )
  })
  after(() =>
    shops.change(`grant select on pg_catalog.pg_timezone_names to public;
      drop role two_connections, no_login; drop owned by without_zones, of_keys; drop role without_zones, of_keys`),
  )

  it('of reports with few connections serves all requests', async () => {
    const { ask } = await start({
      DATABASE_URL: urlAs('two_connections', shops.replicaUrl),
      PROBE_DATABASE_URL: shops.replicaUrl,
      KEYS_DATABASE_URL: shops.primaryUrl,
    })
    const paths = Array.from({ length: 30 }, (_, day) => coldPath('receipts', day))
    const responses = await Promise.all(paths.map(path => ask(path)))
    expect(responses.map(({ status }) => status)).to.deep.equal(paths.map(() => 200))
  })

  it('of reports that may not log in makes its replica unusable, although the probe succeeds', async () => {
    const urls = {
      DATABASE_URL: urlAs('no_login', shops.replicaUrl),
      PROBE_DATABASE_URL: shops.replicaUrl,
      KEYS_DATABASE_URL: shops.primaryUrl,
    }
    const { gateway, ask } = await start(urls, { unready: true })
    const isReplicaOk: boolean[] = []
    await until(async () => {
      const text = await readyz(gateway)
      isReplicaOk.push(/\[\+\]replica \S+ ok/.test(text))
      return /replica \S+ degraded: no connection for reports: .*no_login/.test(text)
    })
    expect(isReplicaOk).to.not.include(true)
    expectProblem(await ask('/reports/receipts'), 503, 'replica_unavailable')
  })

  it('is not needed to see in readiness why servers do not respond, and that collation versions differ', async () => {
    const versions = (version: string): Promise<void> =>
      shops.change(
        `update pg_database set datcollversion = ${version} where datname = current_database()`,
      )
    const [row] = await run<{ version: string }>(
      shops.primaryUrl,
      `select coalesce(quote_literal(datcollversion), 'null') as version from pg_database where datname = current_database()`,
    )
    await versions(`'0.1'`)
    try {
      const stopped = 'postgres://nobody@127.0.0.1:1/erp'
      const { gateway } = await start({
        DATABASE_URL: `${shops.replicaUrl},${stopped}`,
        KEYS_DATABASE_URL: `${shops.replicaUrl},${stopped}`,
      })
      for (const line of [
        /\[\+\]replica 127.0.0.1:1 degraded: not reached since the start: connect ECONNREFUSED/,
        /\[\+\]keys 127.0.0.1:1 degraded: cannot be reached: connect ECONNREFUSED/,
        /\[\+\]replica \S+ degraded: collation versions differ, .* database shops\S* has 0.1, the server/,
      ])
        await until(async () => line.test(await readyz(gateway)))
    } finally {
      await versions(row!.version)
    }
  })

  it('of keys that may not log in or read keys makes a database unusable that no request uses, and usable again', async () => {
    const proxy = await startProxy(shops.primaryUrl)
    // why: one has the probe of the replica of reports, the other has its own
    const unused = [shops.replicaUrl, shops.primaryUrl]
    const KEYS_DATABASE_URL = [proxy.url, ...unused.map(url => urlAs('of_keys', url))].join(',')
    const { gateway } = await start({ KEYS_DATABASE_URL })
    const untilShown = (words: string, usable: number): Promise<unknown> =>
      until(async () => {
        const lines = (await readyz(gateway)).split('\n')
        const values = await Promise.all(
          unused.map(async url => {
            const { host } = new URL(url)
            const line = lines.find(text => text.includes(`]keys ${host} `))
            const value = await metricOf(gateway, 'svodka_key_database_usable', { database: host })
            return line?.includes(words) && value === usable
          }),
        )
        return values.every(Boolean)
      })
    try {
      await untilShown('ok: at most', 1)
      await shops.change('alter role of_keys nologin')
      const end = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'of_keys'`
      for (const url of unused) await run(url, end)
      await untilShown('degraded: cannot be reached: role "of_keys" is not permitted to log in', 0)
      await shops.change('alter role of_keys login; revoke select on shop_keys from of_keys')
      await untilShown('degraded: look-ups fail: permission denied', 0)
      await shops.change('grant select on shop_keys to of_keys')
      await untilShown('ok: at most', 1)
    } finally {
      await proxy.cut()
    }
  })

  it('of keys that may not read the time zones of PostgreSQL looks up all keys and degrades readiness', async () => {
    const { gateway, ask } = await start({
      KEYS_DATABASE_URL: urlAs('without_zones', shops.replicaUrl),
    })
    for (const [key, status] of [
      ['key of shop 1', 200],
      ['key of shop 2', 200],
      ['no key', 401],
    ] as const) {
      const responses = await Promise.all([1, 2, 3].map(() => ask('/ping', { key })))
      expect(responses.map(response => response.status)).to.deep.equal(Array(3).fill(status))
    }
    const degradedLine = await until(
      async () => /\[\+\]definitions degraded: .*access.*$/m.exec(await readyz(gateway))?.[0],
    )
    expect(degradedLine).to.contain(
      'time zones not checked: permission denied for view pg_timezone_names',
    )
    const failed = gateway.observations.filter(({ kind }) => kind === 'access-degraded')
    expect(failed.length, 'reported once').to.equal(1)
  })
})
