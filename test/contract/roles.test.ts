// Roles of the database that can do less than the gateway expects of them.
import { expect } from 'chai'
import type { TestGateway } from '../support/gateway.ts'
import { sharedShops } from '../support/shops.ts'
import type { Shops } from '../support/shops.ts'
import { until } from '../support/until.ts'
import { gatewaysOfTests } from './gateways.ts'

async function readyz({ opsUrl }: TestGateway): Promise<string> {
  const response = await fetch(`${opsUrl}/readyz?verbose`)
  return `${response.status} ${await response.text()}`
}

function as(role: string, url: string): string {
  return Object.assign(new URL(url), { username: role, password: role }).href
}

describe('a role', function () {
  this.timeout(60_000)
  const start = gatewaysOfTests()
  let shops: Shops
  before(async () => {
    shops = await sharedShops()
    await shops.change(
      `create role full_role login password 'full_role' connection limit 0;
       grant pg_read_all_data to full_role;
       create role without_zones login password 'without_zones';
       grant usage on schema public to without_zones;
       grant select on all tables in schema public to without_zones`,
    )
  })
  after(() =>
    shops.change(`grant select on pg_catalog.pg_timezone_names to public;
      drop role full_role; drop owned by without_zones; drop role without_zones`),
  )

  const withFullRole = () =>
    start(
      {
        DATABASE_URL: as('full_role', shops.replicaUrl),
        PROBE_DATABASE_URL: shops.replicaUrl,
        KEYS_DATABASE_URL: shops.primaryUrl,
      },
      { unready: true },
    )

  it('of reports that gets no connection leaves the gateway unready, which says why, until it gets one', async () => {
    const { gateway, ask } = await withFullRole()
    const why = 'no connection for reports: too many connections for role "full_role"'
    const text = await until(async () => {
      const said = await readyz(gateway)
      return said.includes(`degraded: ${why}`) && said
    })
    expect(text).to.match(/^503 /)
    expect(text).to.contain('[-]definitions failed: not planned on the replica yet')
    await shops.change('alter role full_role connection limit 2')
    await until(async () => (await readyz(gateway)).includes('[+]definitions degraded: 2 of '))
    expect(await readyz(gateway)).to.match(/^200 /)
    const years = Array.from({ length: 30 }, (_, place) => 1990 + place)
    const answers = await Promise.all(
      years.map(year => ask(`/reports/receipts?from=${year}-01-01&to=${year}-12-31`)),
    )
    expect(answers.map(({ status }) => status)).to.deep.equal(years.map(() => 200))
  })

  it('of keys that may not read the time zones of PostgreSQL looks up all keys, and readiness tells', async () => {
    await shops.change('revoke select on pg_catalog.pg_timezone_names from public')
    const { gateway, ask } = await start({
      KEYS_DATABASE_URL: as('without_zones', shops.replicaUrl),
    })
    for (const [key, status] of [
      ['key of shop 1', 200],
      ['key of shop 2', 200],
      ['no key', 401],
    ] as const) {
      const answers = await Promise.all([1, 2, 3].map(() => ask('/ping', { key })))
      expect(answers.map(answer => answer.status)).to.deep.equal(Array(3).fill(status))
    }
    const failed = gateway.observations.filter(({ kind }) => kind === 'access-check-failed')
    expect(failed.length, 'noted once').to.equal(1)
    const told = await until(
      async () => /^\[\+\]keys \S+ degraded: .*$/m.exec(await readyz(gateway))?.[0],
    )
    expect(told).to.contain('time zones not checked: permission denied for view pg_timezone_names')
  })
})
