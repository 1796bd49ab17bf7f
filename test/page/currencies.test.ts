// The page of products in other currencies than roubles, in a browser.
import { expect } from 'chai'
import { fixtures } from '../harness/fixtures.ts'
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
      const { environment } = await invoicesEnvironment(
        'code: EUR',
        currency,
        fixtures('reports/sales/by_currency'),
      )
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
      await page.type('.parameters input', amount)
      await page.keyboard.press('Enter')
      await page.waitForFunction(`location.search.includes('by.at_least=24852212')`)
      await reportShown(page)
      expect(await textsOf(page, '.table tbody tr')).to.deep.equal([`A-3 ${amount}`])
      expect(await page.$eval('.parameters input', input => input.value)).to.equal(least)
    })

    it('shows each row of several currencies in its own, and the total of one', async () => {
      const page = await open(`?report=by_currency&${PERIOD}`)
      await reportShown(page)
      const all = ['A-1 EUR €1,234.56', 'A-2 JPY −¥5', 'A-3 KWD KWD 24,852.212', 'A-4 EUR €0.00']
      expect((await textsOf(page, '.table tbody tr')).toSorted()).to.deep.equal(all)
      expect((await textsOf(page, 'tfoot tr'))[0]).not.to.match(/\d/)
      await enter(page, '.rows input[type=search]', '24852.212')
      expect(await textsOf(page, '.table tbody tr')).to.deep.equal(all.slice(2, 3))
      const one = await open(`?report=by_currency&${PERIOD}&by.currency=KWD`)
      await reportShown(one)
      expect((await textsOf(one, 'tfoot tr'))[0]).to.contain('KWD 24,852.212')
    })
  })
}

describe('the page of an organization with a currency of its own', function () {
  this.timeout(30_000)
  const browser = browserOfTests()

  it("shows the digits that the product's currency has in product.yaml", async () => {
    const { environment, change } = await invoicesEnvironment('code: EUR', 'code: JPY, digits: 2', {
      ...fixtures('reports/sales/by_currency'),
      'access/organization_by_key.sql': `
select key_hash, id as organization_id, 'UTC' as time_zone, true as entitled, currency
from clients
where key_hash = any(:key_hashes)`,
    })
    await change(`update clients set currency = 'EUR'`)
    const gateway = await startGateway({ ...environment, EXPLORER: 'on' })
    const query = `?report=by_currency&${PERIOD}`
    const page = await browser.open({
      url: gateway.url,
      query,
      key: 'key of client 1',
      language: 'en',
    })
    await reportShown(page)
    const rows = await textsOf(page, '.table tbody tr')
    expect(rows.slice(0, 2)).to.deep.equal(['A-1 EUR €1,234.56', 'A-2 JPY −¥0.05'])
    await gateway.stop()
  })
})
