import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import { startGateway } from '../support/gateway.ts'
import { sharedShops, shopsEnvironment } from '../support/shops.ts'
import { until } from '../support/until.ts'

describe('a role of keys that may not read the time zones of PostgreSQL', function () {
  this.timeout(60_000)

  it('looks up all keys, and readiness tells', async () => {
    const shops = await sharedShops()
    await shops.change(`create role without_zones login password 'without_zones';
      grant usage on schema public to without_zones;
      grant select on all tables in schema public to without_zones;
      revoke select on pg_catalog.pg_timezone_names from public`)
    const keysUrl = new URL(shops.replicaUrl)
    keysUrl.username = keysUrl.password = 'without_zones'
    try {
      const gateway = await startGateway({
        ...shopsEnvironment(shops),
        KEYS_DATABASE_URL: keysUrl.href,
      })
      try {
        await gateway.ready()
        const statusesOf = async (key: string) =>
          (await Promise.all([1, 2, 3].map(() => asker(gateway.url, key)('/ping')))).map(
            ({ status }) => status,
          )
        expect(await statusesOf('key of shop 1')).to.deep.equal([200, 200, 200])
        expect(await statusesOf('key of shop 2')).to.deep.equal([200, 200, 200])
        expect(await statusesOf('no key')).to.deep.equal([401, 401, 401])
        const failed = gateway.observations.filter(({ kind }) => kind === 'access-check-failed')
        expect(failed.length, 'noted once').to.equal(1)
        const told = await until(async () => {
          const text = await (await fetch(`${gateway.opsUrl}/readyz?verbose`)).text()
          return /^\[\+\]keys \S+ degraded: .*$/m.exec(text)?.[0]
        })
        expect(told).to.contain(
          'time zones not checked: permission denied for view pg_timezone_names',
        )
      } finally {
        await gateway.stop()
      }
    } finally {
      await shops.change(`grant select on pg_catalog.pg_timezone_names to public;
        drop owned by without_zones; drop role without_zones`)
    }
  })
})
