// Cards of the shipped metrics, over the demo's data: their reports, their months, and money that will be missing.
import { expect } from 'chai'
import { gatewayOfBlock } from '../harness/shops-gateway.ts'
import { axeViolations, browserOfTests, textsOf } from './browser.ts'

const KEY = 'sk_demo_vladivostok'

describe('the cards of the page', function () {
  this.timeout(30_000)
  const browser = browserOfTests()
  const world = gatewayOfBlock({ EXPLORER: 'on' }, { database: 'demo' })
  const api = async (path: string) =>
    (await world.ask(path, { key: KEY })).json as {
      readonly metrics: readonly { readonly title: string }[]
      readonly reports: readonly { readonly code: string }[]
      readonly period: { readonly from: string; readonly to: string }
      readonly rows: readonly { readonly lowest: number; readonly week_name: string }[]
      readonly totals: Readonly<Record<string, number>>
    }
  const open = async (query: string) => {
    const page = await browser.open({ url: world.gateway.url, query, key: KEY })
    await page.waitForFunction(`document.querySelectorAll('.months').length === 4`)
    return page
  }

  it('lead to a report that there is, each with the period', async () => {
    const page = await open('?from=2026-01-01&to=2026-02-28')
    const links = (await page.$$eval('.metric a', all =>
      all.map(({ innerText, search }) => [innerText, search]),
    )) as [string, string][]
    const { metrics } = await api('/metrics')
    const { reports } = await api('/reports')
    const titles = metrics.map(({ title }) => title)
    const period = 'from=2026-01-01&to=2026-02-28'
    expect(links.map(([title]) => title)).to.include.members(titles)
    for (const [title, search] of links.filter(link => titles.includes(link[0]))) {
      const code = new URLSearchParams(search).get('report')
      expect(
        reports.map(report => report.code),
        title,
      ).to.include(code)
      const order = title.startsWith('Просроч') ? '&sort=-overdue' : ''
      expect(search, title).to.equal(`?report=${code}&${period}${order}`)
    }
    expect(await axeViolations(page)).to.deep.equal([])
  })

  it('show twelve months, of which the last is their own figure', async () => {
    const { to } = (await api('/metrics?compare=year')).period
    const page = await open(`?from=${to.slice(0, 8)}01&to=${to}`)
    const cards = await page.$$eval('.metric:has(.months)', all =>
      all.map(card => [
        card.querySelector('dd')!.innerText,
        card.querySelector('title')!.textContent,
      ]),
    )
    for (const [value, months] of cards) {
      const lines = months!.split('\n')
      expect(lines).to.have.length(12)
      expect(lines.at(-1))
        .to.match(/^\S+ \d{4}: /)
        .and.satisfy((line: string) => line.endsWith(`: ${value}`))
    }
  })

  it('say what is overdue, and the cash gap of the calendar', async () => {
    const page = await open('')
    const { rows, totals } = await api('/reports/payment_calendar')
    const { lowest } = totals
    await page.waitForNetworkIdle()
    const texts = await textsOf(page, '.metric:not([hidden])')
    const bad = await textsOf(page, '.metric:has(.bad, .negative)')
    for (const report of ['receivables', 'payables']) {
      const { overdue } = (await api(`/reports/${report}`)).totals
      const card = await textsOf(page, `.metric:has(a[href*="=${report}"]):nth-child(n + 9) dd`)
      expect(Number(card[0]!.replace(/[^\d]/g, ''))).to.equal(overdue)
    }
    const gap = texts.find(text => text.startsWith('Кассовый разрыв'))
    expect(gap === undefined).to.equal(lowest! >= 0)
    if (gap !== undefined) {
      expect(bad).to.include(gap)
      const first = rows.find(row => row.lowest < 0)!
      expect(gap).to.contain(`с ${first.week_name}`)
      expect(Number(/−([\d ]+,\d\d) ₽/.exec(gap)?.[1]?.replace(/\D/g, ''))).to.equal(-lowest!)
    }
  })
})
