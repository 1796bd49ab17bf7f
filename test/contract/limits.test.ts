import { expect } from 'chai'
import { asker } from '../harness/ask.ts'
import { run } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { shopsGateway, type World } from '../harness/shops-gateway.ts'
import { coldPath } from './gateways.ts'

async function sleepingCount({ shops }: World): Promise<number> {
  const rows = await run(
    shops.replicaUrl,
    `select 1 from pg_stat_activity where datname = 'shops' and wait_event = 'PgSleep'`,
  )
  return rows.length
}

describe('limits of an organization', () => {
  const world = shopsGateway({ REPORT_POOL_SIZE: '4', QUEUE_TIMEOUT: '3s' })

  it('delay other organizations by one execution at most, and cached responses are never queued', async () => {
    const two = asker(world.gateway.url, 'key of shop 2')
    expect((await two('/reports/receipts')).status).to.equal(200)
    const backlog = Array.from({ length: 80 }, (_, day) => world.ask(coldPath('sleeps', day)))
    await until(async () => (await sleepingCount(world)) === 4)
    expect((await world.ask('/reports')).status).to.equal(200)
    expect((await two('/reports/receipts')).headers.get('Cache-Status')).to.contain('hit')
    for (let day = 0; day < 3; day += 1) {
      const from = performance.now()
      expect((await two(coldPath('receipts', day))).status).to.equal(200)
      expect(performance.now() - from).to.be.lessThan(1500)
    }

    const table = await fetch(`${world.gateway.opsUrl}/organizations`).then(one => one.text())
    expect(table.split('\n')[1]).to.match(/^\d+\.\d\t[34]\t\d+\t1$/)

    const refused = (await Promise.all(backlog)).filter(({ status }) => status !== 200)
    expect(refused.length).to.be.within(80 - 20, 80 - 8)
    const codes = refused.map(({ status, json }) => `${status} ${json.code}`)
    expect(new Set(codes)).to.deep.equal(new Set(['429 rate_limited', '503 overloaded']))
    expect(codes.filter(code => code.startsWith('429'))).to.have.length(80 - 64 - 4)
    for (const { headers } of refused)
      expect(Number(headers.get('Retry-After'))).to.be.within(1, 120)
  }).timeout(30_000)
})
