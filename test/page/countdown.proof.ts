import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { coldPath, gatewaysOfTests, shopsFolder } from '../contract/gateways.ts'
import { until } from '../harness/until.ts'
import { browserOfTests, catalogueShown, textsOf } from './browser.ts'
import { EXPLORED } from './reports.ts'

describe('the page of an organization with a backlog', function () {
  this.timeout(60_000)
  const browser = browserOfTests()
  const start = gatewaysOfTests()

  it('counts down the seconds of Retry-After', async () => {
    const environment = {
      EXPLORER: 'on',
      SQL_DIR: shopsFolder(EXPLORED),
      REPORT_POOL_SIZE: '1',
      QUEUE_TIMEOUT: '10s',
    }
    const { gateway, ask } = await start(environment)
    const page = await browser.open({ url: gateway.url, key: 'key of shop 1' })
    await catalogueShown(page)
    // why: one executes and 64 wait; once the first has waited for a second, the others are expected to take that, too
    const backlog = Array.from({ length: 66 }, (_, day) => ask(coldPath('sleeps_two', day)))
    expect((await Promise.race(backlog)).status).to.equal(429)
    await sleep(1000)
    await page.click('.report-link[href*=turnover]')
    await page.waitForSelector('.problem .actions .muted')
    const left = async () =>
      Number(/^Повторим через (\d+) с$/.exec((await textsOf(page, '.actions .muted'))[0]!)?.[1])
    const first = await left()
    expect(first).to.be.within(50, 120)
    await until(async () => (await left()) === first - 2)
    await Promise.all(backlog)
  })
})
