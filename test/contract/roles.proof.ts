import { expect } from 'chai'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { sharedShops } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { readyz, urlAs } from './gateways.ts'

describe('a reports role without connections', () => {
  const start = gatewaysOfTests()

  it('makes the gateway unready with a reason until it can connect', async () => {
    const shops = await sharedShops()
    await shops.change(`create role no_connection login password 'no_connection' connection limit 0;
      grant pg_read_all_data to no_connection`)
    try {
      const urls = {
        DATABASE_URL: urlAs('no_connection', shops.replicaUrl),
        PROBE_DATABASE_URL: shops.replicaUrl,
        KEYS_DATABASE_URL: shops.primaryUrl,
      }
      const { gateway, ask } = await start(urls, { unready: true })
      const reason = 'no connection for reports: too many connections for role "no_connection"'
      const text = await until(async () => {
        const readyzText = await readyz(gateway)
        return readyzText.includes(`degraded: ${reason}`) && readyzText
      })
      expect(text).to.match(/^503 /)
      expect(text).to.contain('[-]definitions failed: not planned on the replica yet')
      await shops.change('alter role no_connection connection limit 9')
      await until(async () => /\[\+\]definitions degraded: \d+ of /.test(await readyz(gateway)))
      expect(await readyz(gateway)).to.match(/^200 /)
      expect((await ask('/reports/receipts')).status).to.equal(200)
    } finally {
      await shops.change('drop role no_connection')
    }
  })
})
