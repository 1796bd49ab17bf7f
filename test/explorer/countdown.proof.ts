import { expect } from 'chai'
import { gatewaysOfTests, shopsFolder } from '../contract/gateways.ts'
import { until } from '../harness/until.ts'
import { browserOfTests, catalogueShown, textsOf } from './browser.ts'
import { EXPLORED } from './reports.ts'

describe('the page without a budget left', function () {
  this.timeout(60_000)
  const browser = browserOfTests()
  const start = gatewaysOfTests()

  it('counts down the seconds of Retry-After', async () => {
    const environment = {
      EXPLORER: 'on',
      SQL_DIR: shopsFolder(EXPLORED),
      ORGANIZATION_BUDGET: '1s/10m',
    }
    const { gateway, ask } = await start(environment)
    const page = await browser.open({ url: gateway.url, key: 'key of shop 1' })
    await catalogueShown(page)
    expect((await ask('/reports/sleeps_two')).status).to.equal(200)
    await page.click('.report-link[href*=turnover]')
    await page.waitForSelector('.problem .actions .muted')
    const left = async () =>
      Number(/^Повторим через (\d+) с$/.exec((await textsOf(page, '.actions .muted'))[0]!)?.[1])
    const first = await left()
    expect(first).to.be.within(60, 120)
    await until(async () => (await left()) === first - 2)
  })
})
