// Tables of the page that take a while: a comparison, and many rows.
import { expect } from 'chai'
import { shopsFolder } from '../contract/gateways.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { axeViolations, browserOfTests, reportShown, textsOf } from './browser.ts'
import { EXPLORED } from './reports.ts'

describe('the table of the page', () => {
  const browser = browserOfTests()
  const world = shopsGateway({ EXPLORER: 'on', SQL_DIR: shopsFolder(EXPLORED) })
  const report = async (query: string) => {
    const page = await browser.open({ url: world.gateway.url, query, key: 'key of shop 1' })
    await reportShown(page)
    return page
  }

  it('compares with another period: in the table, in sums of found rows, in the address', async () => {
    const query = '?report=quarters&from=2026-07-01&to=2026-09-30'
    const page = await report(query)
    await page.select('select[aria-label="Сравнение"]', 'year')
    await page.waitForSelector('.table small')
    expect(page.url()).to.contain('compare=year')
    expect(await textsOf(page, '.beneath')).to.deep.equal([
      '01.07.2026 — 30.09.2026; под значением — сравнение с периодом 01.07.2025 — 30.09.2025',
    ])
    const rows = '.table tbody tr'
    const compared = [
      'Новый 30,00 ₽ — · +30,00 ₽ 50,0 % —',
      'Общий 20,26 ₽ 20,25 ₽ · 0 % −1,5 % 50 % · −51,5 п. п.',
      'Старый — 10,00 ₽ · −100 % — 50 %',
    ]
    expect(await textsOf(page, rows)).to.deep.equal(compared)
    expect(await textsOf(page, 'tfoot tr')).to.deep.equal(['Итого 50,26 ₽ 30,25 ₽ · +66,1 %'])
    expect(await axeViolations(page)).to.deep.equal([])
    await page.type('.rows input[type=search]', 'общий')
    expect(await textsOf(page, 'tfoot tr')).to.deep.equal([
      'Итого по найденному 20,26 ₽ 20,25 ₽ · 0 %',
    ])
    const again = await report(`${query}&compare=year`)
    expect(await textsOf(again, rows)).to.deep.equal(compared)
    // a comparison that the report does not have is ignored
    const many = await report('?report=register&compare=year')
    expect(await textsOf(many, 'select[aria-label="Сравнение"]:not([hidden])')).to.deep.equal([])
  })

  it('shows the first thousand of more rows, with the totals of all, and offers the file', async () => {
    const page = await report('?report=many')
    expect(await textsOf(page, '.rows [role=status]')).to.deep.equal(['Строк: 10 000'])
    const offer = 'Все — в файле: «Скачать».'
    expect(await textsOf(page, '.hint')).to.deep.equal([
      `Показаны первые 1 000 из 10 000. ${offer}`,
    ])
    expect((await page.$$('.table tbody tr')).length).to.equal(1000)
    expect(await textsOf(page, 'tfoot tr')).to.deep.equal(['Итого 50 005 000,00 ₽'])
    await page.click('thead th:nth-child(2) button')
    expect((await textsOf(page, '.table tbody th'))[0]).to.equal('10000')
    await page.type('.rows input[type=search]', '0556')
    expect(await textsOf(page, '.rows [role=status]')).to.deep.equal(['Найдено строк: 11'])
    expect(await textsOf(page, '.hint')).to.deep.equal([''])
  })

  it('neither sorts nor searches ten thousand of more rows', async () => {
    const page = await report('?report=register')
    expect((await textsOf(page, '.hint'))[0]).to.match(
      /^Показаны первые 1 000 из 100 000\. Все — в файле: «Скачать»\. Искать и сортировать/,
    )
    expect(await textsOf(page, 'tfoot tr')).to.deep.equal(['Итого 50 000 500,00 ₽'])
    expect(await page.$$('thead button:enabled')).to.deep.equal([])
    expect(await page.$$('.rows input[type=search]:not([hidden])')).to.deep.equal([])
  })

  it('draws the comparison of a chart', async () => {
    const page = await report('?report=quarters&from=2026-07-01&to=2026-09-30&compare=year')
    expect(await textsOf(page, '.legend .was')).to.deep.equal(['01.07.2025 — 30.09.2025'])
    expect(await textsOf(page, '.bars .name')).to.deep.equal(['Новый', 'Общий', 'Старый'])
    expect((await page.$$('.bars .was')).length).to.equal(2)
  })
})
