// Database roles with fewer privileges or connections than expected.
import { expect } from 'chai'
import { asker } from '../harness/ask.ts'
import { startGateway } from '../harness/in-process-gateway.ts'
import { run, sharedShops, shopsEnvironment, type Shops } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { coldPath, gatewaysOfTests, readyz, urlAs } from './gateways.ts'

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
       grant usage on schema public to without_zones;
       grant select on all tables in schema public to without_zones;
       revoke select on pg_catalog.pg_timezone_names from public`,
    )
  })
  after(() =>
    shops.change(`grant select on pg_catalog.pg_timezone_names to public;
      drop role two_connections, no_login; drop owned by without_zones; drop role without_zones`),
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
    const gateway = await startGateway({
      ...shopsEnvironment(shops),
      DATABASE_URL: urlAs('no_login', shops.replicaUrl),
      PROBE_DATABASE_URL: shops.replicaUrl,
      KEYS_DATABASE_URL: shops.primaryUrl,
    })
    try {
      const isReplicaOk: boolean[] = []
      await until(async () => {
        const text = await readyz(gateway)
        isReplicaOk.push(/\[\+\]replica \S+ ok/.test(text))
        return /replica \S+ degraded: no connection for reports: .*no_login/.test(text)
      })
      expect(isReplicaOk).to.not.include(true)
      const { status, json } = await asker(gateway.url, 'key of shop 1')('/reports/receipts')
      expect([status, json.code]).to.deep.equal([503, 'replica_unavailable'])
    } finally {
      await gateway.stop()
    }
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
    const failed = gateway.observations.filter(({ kind }) => kind === 'organizations-rejected')
    expect(failed.length, 'reported once').to.equal(1)
  })
})
