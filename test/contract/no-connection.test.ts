import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import { startGateway } from '../support/gateway.ts'
import { sharedShops, shopsEnvironment } from '../support/shops.ts'
import type { Shops } from '../support/shops.ts'
import { until } from '../support/until.ts'

const full = { username: 'full_role', password: 'full' }

describe('a role of reports that gets no connection while the probe does', function () {
  this.timeout(60_000)
  let shops: Shops

  before(async () => {
    shops = await sharedShops()
    await shops.change(
      `create role full_role login password 'full' connection limit 0;
       grant pg_read_all_data to full_role`,
    )
  })
  after(() => shops.change('drop role full_role'))

  it('leaves the gateway unready from the start, which says why, until it gets one', async () => {
    const gateway = await startGateway({
      ...shopsEnvironment(shops),
      DATABASE_URL: Object.assign(new URL(shops.replicaUrl), full).href,
      PROBE_DATABASE_URL: shops.replicaUrl,
      KEYS_DATABASE_URL: shops.primaryUrl,
    })
    const said = async (words: string): Promise<string | false> => {
      const answer = await fetch(`${gateway.opsUrl}/readyz?verbose`)
      const text = `${answer.status} ${await answer.text()}`
      return text.includes(words) && text
    }
    try {
      const why = 'no connection for reports: too many connections for role "full_role"'
      const text = await until(() => said(`degraded: ${why}`))
      expect(text).to.match(/^503 /)
      expect(text).to.contain('[-]definitions failed: not planned on the replica yet')
      await shops.change('alter role full_role connection limit 9')
      await until(() => said('[+]definitions degraded: 2 of '))
      expect(await said('200 ')).to.match(/^200 /)
      const answer = await asker(gateway.url, 'key of shop 1')('/reports/receipts')
      expect(answer.status).to.equal(200)
    } finally {
      await gateway.stop()
    }
  })

  it('has its few connections serve all who come', async () => {
    await shops.change('alter role full_role connection limit 2')
    const gateway = await startGateway({
      ...shopsEnvironment(shops),
      DATABASE_URL: Object.assign(new URL(shops.replicaUrl), full).href,
      PROBE_DATABASE_URL: shops.replicaUrl,
      KEYS_DATABASE_URL: shops.primaryUrl,
    })
    try {
      const ask = asker(gateway.url, 'key of shop 1')
      const years = Array.from({ length: 30 }, (_, place) => 1990 + place)
      const answers = await Promise.all(
        years.map(year => ask(`/reports/receipts?from=${year}-01-01&to=${year}-12-31`)),
      )
      expect(answers.map(({ status }) => status)).to.deep.equal(years.map(() => 200))
    } finally {
      await gateway.stop()
    }
  })
})
