// What a chart draws: losses, balances of weeks, namesakes, in the system's colors too.
import { expect } from 'chai'
import { shopsFolder } from '../contract/gateways.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { browserOfTests, reportShown, textsOf } from './browser.ts'

const matter = (columns: string, key: string, chart: string): string => `/*---
title: Отчёт
columns:
${columns}
key: [${key}]
chart: ${chart}
summary: За {period} {amount}.
shared: true
---*/
`
const AMOUNTS = `  amount: { title: Прибыль, type: money, total: sum(amount), aggregation: { rows: sum } }
  income: { title: Доход, type: money, total: sum(income), aggregation: { rows: sum } }`

/** `debts` has documents of two customers with one name, `buyers` the customers, one of them with a loss. */
const REPORTS = {
  'reports/sales/buyers.sql': `${matter(
    `  name: { title: Имя, type: text }
  buyer_id: { title: Номер, type: text, total: none }
  class: { title: Класс, type: text, total: none }
  inn: { title: ИНН, type: text, total: none }
${AMOUNTS}`,
    'buyer_id',
    '{ kind: bars, measures: [amount, income], label: name }',
  )}select * from (values ('Ёлка', '1', 'A', '7700000001', -5000::bigint, 10000::bigint), ('Ёлка', '2', 'B', '7700000002', 2500, 5000),
  ('Пихта', '3', 'A', null, 1000, 2000)) as buyers (name, buyer_id, class, inn, amount, income) order by income desc
`,
  'reports/sales/debts.sql': `${matter(
    `  number: { title: Номер, type: text }
  name: { title: Имя, type: text, total: none }
  inn: { title: ИНН, type: text, total: none }
${AMOUNTS}`,
    'number',
    '{ kind: bars, measures: [amount], label: name }',
  )}select * from (values ('Ёлка', 'А-1', '7700000001', 300::bigint, 0::bigint), ('Ёлка', 'А-2', '7700000001', 200, 0),
  ('Ёлка', 'А-3', '7700000002', 100, 0)) as debts (name, number, inn, amount, income) order by number
`,
  'reports/sales/weeks.sql': `${matter(
    `  name: { title: Неделя, type: text }
  week: { title: Начало, type: date }
  week_end: { title: Конец, type: date }
  amount: { title: Остаток, type: money, aggregation: { periods: last } }`,
    'week',
    '{ kind: lines, measures: [amount], label: week_end }',
  )}select false as is_total, to_char(week, 'DD.MM') as name, week, week_end, amount
from (values (date '2026-01-31', date '2026-02-01', 300::bigint), ('2026-02-02', '2026-02-08', 100)) as weeks (week, week_end, amount)
union all select true, null, null, null, 100 order by is_total desc, week
`,
}

describe('the charts of the page', function () {
  this.timeout(30_000)
  const browser = browserOfTests()
  const world = shopsGateway({ EXPLORER: 'on', SQL_DIR: shopsFolder(REPORTS) })
  const report = async (query: string) => {
    const url = world.gateway.url
    const page = await browser.open({ url, query: `?report=${query}`, key: 'key of shop 1' })
    await reportShown(page)
    return page
  }

  it('draws losses to the other side of zero', async () => {
    const page = await report('buyers')
    const bars = await page.$$eval('.bar', all =>
      all.map(each => each.getBoundingClientRect()).map(({ left, right }) => [left, right]),
    )
    const tracks = await page.$$eval('.track', all =>
      all.map(each => each.getBoundingClientRect()).map(({ left, width }) => [left, width]),
    )
    const [left, width] = tracks[0]!
    const partOf = (x: number) => Math.round(((x - left!) / width!) * 150 - 50) + 0
    expect(bars.map(ends => ends.map(partOf))).to.deep.equal([
      [-50, 0],
      [0, 100],
      [0, 25],
      [0, 50],
      [0, 10],
      [0, 20],
    ])
  })

  it('tells customers of one name apart by what differs among all, and adds up documents of each', async () => {
    const page = await report('buyers')
    const names = () => textsOf(page, '.bars .name')
    expect(await names()).to.deep.equal(['Ёлка 7700000001', 'Ёлка 7700000002', 'Пихта'])
    await report('debts')
    expect(await names()).to.deep.equal(['Ёлка 7700000001', 'Ёлка 7700000002'])
    expect(await textsOf(page, '.bars .value')).to.deep.equal(['5,00 ₽', '1,00 ₽'])
  })

  it('draws a balance over the last day of its week, in the order of time', async () => {
    const page = await report('weeks')
    const labels = await page.$$eval('svg > text', all => all.map(each => each.textContent))
    expect(labels).to.deep.equal(['01.02', '08.02'])
    expect(await textsOf(page, '.table tbody th')).to.deep.equal(['31.01', '02.02'])
  })

  it('is visible in the colors of the system', async () => {
    const page = await report('buyers')
    const client = await page.createCDPSession()
    const features = [{ name: 'forced-colors', value: 'active' }]
    await client.send('Emulation.setEmulatedMedia', { features })
    const colors = (await page.evaluate(`[
      ...document.querySelectorAll('.bar'), ...document.querySelectorAll('.legend span'),
    ].map(each => getComputedStyle(each, each.className.startsWith('bar') ? null : '::before').backgroundColor)`)) as string[]
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    const [profit, income] = colors.slice(-2)
    expect(new Set([background, profit, income]).size).to.equal(3)
    expect(colors.slice(0, -2)).to.deep.equal([profit, income, profit, income, profit, income])
    await client.detach()
  })
})
