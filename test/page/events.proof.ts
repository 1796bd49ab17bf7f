// What happens to a page that is open: a download, a key revoked, a gateway that stops.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { shopsFolder } from '../contract/gateways.ts'
import { startProxy } from '../harness/proxy.ts'
import { gatewaysOfTests, NOON } from '../harness/shops-gateway.ts'
import { sharedShops } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { browserOfTests, reportShown, textsOf } from './browser.ts'
import { EXPLORED, NAME } from './reports.ts'

const KEY = 'key of shop 1'

describe('the page while it is open', function () {
  this.timeout(60_000)
  const browser = browserOfTests()
  const start = gatewaysOfTests()
  const SQL_DIR = shopsFolder(EXPLORED)
  const gatewayWith = async (environment: NodeJS.ProcessEnv = {}, options = {}) =>
    (await start({ EXPLORER: 'on', SQL_DIR, ...environment }, options)).gateway

  it('downloads a file with the key in a header', async () => {
    const { url } = await gatewayWith()
    const page = await browser.open({
      url,
      query: '?report=turnover&from=2026-01-01&to=2026-03-31',
      key: KEY,
    })
    await reportShown(page)
    const downloadPath = temporaryFolder()
    const client = await page.createCDPSession()
    await client.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      browserContextId: page.browserContext().id!,
      downloadPath,
    })
    await page.click('.menu summary')
    await page.evaluate(
      `[...document.querySelectorAll('.choices button')].find(each => each.innerText === 'CSV').click()`,
    )
    await page.click('.menu summary')
    await page.click('.choices button:nth-of-type(2)')
    const name = `Счёт по месяцам 2026-01-01 — 2026-03-31, ${NAME}.csv`
    for (const file of [name, name.replace('.csv', ', Excel.csv')])
      await until(async () => readdirSync(downloadPath).includes(file))
    const large = await browser.open({ url, query: '?report=large', key: KEY })
    await reportShown(large)
    await large.click('.menu summary')
    await large.click('.choices button:nth-of-type(3)')
    const ofLarge = () => readdirSync(downloadPath).find(file => !file.startsWith('Счёт'))
    await until(async () => ofLarge()?.endsWith('.csv') === true)
    const { length } = Buffer.from(
      await (
        await fetch(`${url}/api/public/v1/reports/large.csv`, { headers: { 'X-Api-Key': KEY } })
      ).arrayBuffer(),
    )
    expect(statSync(join(downloadPath, ofLarge()!)).size)
      .to.equal(length)
      .and.above(50_000_000)
    expect(readFileSync(join(downloadPath, name), 'utf8')).to.match(
      /^label,month,income,profit\r?\nМесяц 1,2026-01,123456700,-100000\r?\n/,
    )
  })

  it('asks for another key once its own is revoked, and then shows the same report', async () => {
    const shops = await sharedShops()
    await shops.change(`insert into shop_keys values (sha256('key of the page'), 1, false)`)
    const { url } = await gatewayWith()
    const query = '?report=turnover&from=2026-01-01&to=2026-03-31'
    const page = await browser.open({ url, query, key: 'key of the page' })
    await reportShown(page)
    await shops.change(`delete from shop_keys where hash = sha256('key of the page')`)
    await page.evaluate(`[...document.querySelectorAll('.tools button')].at(-1).click()`)
    await page.waitForSelector('.entry .message:not(:empty)')
    expect(new URL(page.url()).search).to.equal(query)
    expect(await textsOf(page, 'table')).to.deep.equal([])
  })

  it('keeps what it shows when the gateway does not respond', async () => {
    const gateway = await gatewayWith()
    const page = await browser.open({ url: gateway.url, query: '?report=turnover', key: KEY })
    await reportShown(page)
    await page.setOfflineMode(true)
    await page.evaluate(`[...document.querySelectorAll('.tools button')].at(-1).click()`)
    await page.waitForSelector('.problem')
    const [text = ''] = await textsOf(page, '.notice')
    expect(text)
      .to.contain('Сервер не отвечает')
      .and.contain('Ниже — то, что было загружено раньше')
    expect((await page.$$('.table tbody tr')).length).to.equal(3)
    // the page repeats the request itself
    await page.setOfflineMode(false)
    await page.waitForFunction(`document.querySelector('.problem') === null`)
  })

  it('marks what is stale, and leaves it while a request is refused with 503', async () => {
    const shops = await sharedShops()
    let nowMs = NOON
    // why: only the replica that executes reports becomes unreachable
    const proxy = await startProxy(shops.replicaUrl)
    const environment = {
      DATABASE_URL: proxy.url,
      KEYS_DATABASE_URL: shops.primaryUrl,
      PROBE_DATABASE_URL: shops.replicaUrl,
    }
    const { url } = await gatewayWith(environment, { now: () => nowMs })
    const query = '?report=receipts&from=2026-01-01&to=2026-12-31'
    const page = await browser.open({ url, query, key: KEY })
    await reportShown(page)
    expect((await textsOf(page, '.stale')).length).to.equal(0)
    const rows = await textsOf(page, '.table tbody tr')
    await proxy.cut()
    nowMs += 10_000
    await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`)
    await page.waitForSelector('.stale')
    expect((await textsOf(page, '.stale'))[0]).to.match(/устарели: свежие пока недоступны$/)
    expect(await textsOf(page, '.table tbody tr')).to.deep.equal(rows)
    await page.evaluate(`[...document.querySelectorAll('.tools button')].at(-1).click()`)
    await page.waitForSelector('.problem')
    const [text = ''] = await textsOf(page, '.notice')
    expect(text)
      .to.contain('Данные сейчас недоступны')
      .and.match(/Повторим через \d+ с/)
      .and.contain('Ниже — то, что было загружено раньше')
    expect(await textsOf(page, '.table tbody tr')).to.deep.equal(rows)
    await proxy.mend()
    await page.waitForFunction(`document.querySelector('.problem') === null`)
    await page.waitForFunction(`document.querySelector('.stale') === null`)
    await proxy.cut()
  })
})
