// The page of products in other currencies than roubles, in a browser.
import { expect } from 'chai'
import { startGateway, type TestGateway } from '../harness/gateway.ts'
import { invoicesEnvironment } from '../harness/invoices.ts'
import { browserOfTests, catalogueShown, enter, reportShown, textsOf } from './browser.ts'

const PERIOD = 'from=2026-03-01&to=2026-03-31'

for (const [currency, amount, least, small] of [
  ['code: JPY', '¥24,852,212', '24852212', '−¥5'],
  ['code: KWD', 'KWD 24,852.212', '24852.212', '−KWD 0.005'],
] as const) {
  describe(`the page with the currency ${currency}`, function () {
    this.timeout(30_000)
    const browser = browserOfTests()
    let gateway: TestGateway
    before(async () => {
      const { environment } = await invoicesEnvironment('code: EUR', currency)
      gateway = await startGateway({ ...environment, EXPLORER: 'on' })
    })
    after(() => gateway?.stop())
    const open = (query: string) =>
      browser.open({ url: gateway.url, query, key: 'key of client 1', language: 'en' })

    it('shows its decimals in cards and tables, finds them, and takes them as parameters', async () => {
      const cards = await open(`?${PERIOD}`)
      await catalogueShown(cards)
      const total = amount.replace('852', '975').replace('212', '663')
      expect((await textsOf(cards, '.metric'))[0]).to.contain(total)
      const page = await open(`?report=invoices&${PERIOD}`)
      await reportShown(page)
      const found = await textsOf(page, '.table tbody tr')
      expect(found.slice(1, 3)).to.deep.equal([`A-2 ${small}`, `A-3 ${amount}`])
      expect((await textsOf(page, 'tfoot tr'))[0]).to.contain(total)
      await enter(page, '.rows input[type=search]', least)
      expect(await textsOf(page, '.table tbody tr')).to.deep.equal([`A-3 ${amount}`])
      await page.type('.parameters input', least)
      await page.keyboard.press('Enter')
      await page.waitForFunction(`location.search.includes('by.at_least=24852212')`)
      await reportShown(page)
      expect(await textsOf(page, '.table tbody tr')).to.deep.equal([`A-3 ${amount}`])
      expect(await page.$eval('.parameters input', input => input.value)).to.equal(least)
    })
  })
}
