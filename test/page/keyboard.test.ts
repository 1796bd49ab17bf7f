// Four tasks without a mouse: where the focus is after each step, what a screen reader is told, what is requested.
import { expect } from 'chai'
import type { HTTPRequest, KeyInput, Page } from 'puppeteer-core'
import { shopsFolder } from '../contract/gateways.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { browserOfTests, catalogueShown, reportShown, textsOf } from './browser.ts'
import { EXPLORED } from './reports.ts'

const REPORT = '?report=turnover&from=2026-01-01&to=2026-03-31'

describe('the page by keyboard', () => {
  const browser = browserOfTests()
  const world = shopsGateway({ EXPLORER: 'on', SQL_DIR: shopsFolder(EXPLORED) })
  let page: Page
  const open = async (query: string, key?: string) => {
    page = await browser.open({ url: world.gateway.url, query, key })
  }

  /** Presses keys one after another, and then expects the focus where the selector says. */
  async function press(keys: readonly KeyInput[], selector: string): Promise<void> {
    for (const key of keys) await page.keyboard.press(key)
    await expectFocus(selector, keys.join(' '))
  }

  async function expectFocus(selector: string, after: string): Promise<void> {
    const focused = `document.activeElement.matches(${JSON.stringify(selector)})`
    const element = String(await page.evaluate('document.activeElement.outerHTML.slice(0, 200)'))
    expect(await page.evaluate(focused), `${after}: ${selector}, not ${element}`).to.equal(true)
    // why: the calendar within a field of a date has the ring instead of the field
    const isVisible = `document.activeElement.type === 'date' || getComputedStyle(document.activeElement).outlineStyle === 'solid'`
    expect(await page.evaluate(isVisible), `${after}: the ring`).to.equal(true)
  }

  async function told(text: RegExp): Promise<void> {
    await page.waitForFunction(
      `${text}.test(document.querySelector('[aria-live=polite]').textContent)`,
    )
  }

  it('opens a report that a search finds', async () => {
    await open('')
    await expectFocus('#key', 'open')
    await page.keyboard.type('key of shop 1')
    await page.keyboard.press('Enter')
    await catalogueShown(page)
    await expectFocus('h1', 'Enter')
    expect(await textsOf(page, 'h1')).to.have.length(1)
    const back = (await textsOf(page, 'header :is(a, button)')).length
    await page.keyboard.down('Shift')
    await press(
      Array.from({ length: back }, () => 'Tab' as const),
      '.brand',
    )
    await press(['Tab'], '.skip')
    await page.keyboard.up('Shift')
    await press(['Enter'], 'h1')
    for (let at = 0; at < 30; at += 1) {
      if (await page.evaluate(`document.activeElement.matches('[type=search]')`)) break
      await page.keyboard.press('Tab')
    }
    await expectFocus('[type=search]', 'Tab')
    await page.keyboard.type('счета по месяцам')
    await told(/^Найдено: 1$/)
    await press(['Tab'], '.report-link')
    await page.keyboard.press('Enter')
    await reportShown(page)
    await expectFocus('h1', 'Enter')
    await told(/^Счёт по месяцам, .*Строк: \d+$/)
    await page.emulateMediaType('print')
    const printed = `getComputedStyle(document.activeElement).outlineStyle`
    expect(await page.evaluate(printed), 'the ring on paper').to.equal('none')
    await page.emulateMediaType()
  })

  it('chooses a period and a comparison, and keeps the focus', async () => {
    await open(REPORT, 'key of shop 1')
    await reportShown(page)
    await press(['Tab'], '.period select')
    await press(['ArrowUp'], '.period select')
    await told(new RegExp(`31.12.${new Date().getFullYear() - 1}`))
    await expectFocus('.period select', 'ArrowUp')
    expect(page.url()).to.contain(`from=${new Date().getFullYear() - 1}-01-01`)
    await page.goBack()
    await reportShown(page)
    await expectFocus('.period select', 'Back')
    expect(page.url()).to.contain('from=2026-01-01&to=2026-03-31')
  })

  it('returns to the place with Back', async () => {
    await open('', 'key of shop 1')
    await catalogueShown(page)
    await page.waitForNetworkIdle({ idleTime: 0 })
    const link = '.group:last-child li:last-child .report-link'
    await page.focus(link)
    const position = await page.evaluate('scrollY')
    expect(position).to.be.greaterThan(100)
    await page.keyboard.press('Enter')
    await reportShown(page)
    await expectFocus('h1', 'Enter')
    expect(await page.evaluate('scrollY')).to.equal(0)
    await page.reload()
    await reportShown(page)
    await page.goBack()
    await page.waitForFunction(`document.activeElement.matches(${JSON.stringify(link)})`)
    expect(await page.evaluate('scrollY')).to.equal(position)
  })

  it('keeps the focus where a request fails, and shows the period of the table', async () => {
    await open(REPORT, 'key of shop 1')
    await reportShown(page)
    const dates = () => page.$$eval('.dates input', all => all.map(({ value }) => value))
    const before = await dates()
    await page.setOfflineMode(true)
    await page.select('.period select', 'lastYear')
    await page.waitForSelector('.problem')
    expect(await dates()).to.deep.equal(before)
    await page.focus('.problem button')
    await page.$eval('.problem', problem => (problem.id = 'first'))
    await page.keyboard.press('Enter')
    await page.waitForSelector('.problem:not(#first)')
    await expectFocus('.problem button', 'Enter')
    await page.setOfflineMode(false)
    await page.waitForSelector('.problem', { hidden: true })
    await expectFocus('h1', 'online')
    expect((await dates())[0]).to.equal(`${new Date().getFullYear() - 1}-01-01`)
  })

  it('types a date, which is requested once it is whole', async () => {
    await open(REPORT, 'key of shop 1')
    await reportShown(page)
    const requested: string[] = []
    const note = (request: HTTPRequest) => {
      if (request.url().includes('.ndjson')) requested.push(new URL(request.url()).search)
    }
    page.on('request', note)
    await press(['Tab', 'Tab'], 'input[type=date]')
    await page.keyboard.type('02012025')
    await press(['Tab', 'Tab'], 'input[type=date] + input, input[type=date]')
    expect(requested).to.deep.equal([])
    await press(['Enter'], 'input[type=date]')
    await told(/01.02.2025 — 31.03.2026/)
    await expectFocus('input[type=date]', 'Enter')
    expect(requested).to.deep.equal(['?from=2025-02-01&to=2026-03-31&end=true'])
    await page.keyboard.down('Shift')
    await press(['Tab', 'Tab', 'Tab'], 'input[type=date]')
    await page.keyboard.up('Shift')
    await page.keyboard.type('02012027')
    await press(['Enter'], 'input[type=date]')
    await told(/начало не позже конца/)
    expect(requested.length).to.equal(1)
    page.off('request', note)
  })

  it('sorts a table, and downloads from a menu', async () => {
    await open(REPORT, 'key of shop 1')
    await reportShown(page)
    await page.focus('.menu summary')
    await press(['Enter', 'Tab'], '.choices button')
    await press(['Escape'], '.menu summary')
    const leave = [() => page.focus('h1'), () => page.click('.sentence')]
    for (const each of leave) {
      await page.click('.menu summary')
      await page.waitForSelector('.menu[open]')
      await each()
      await page.waitForSelector('.menu:not([open])')
    }
    await page.focus('thead th:nth-child(1) button')
    await press(['Tab'], 'thead th:nth-child(2) button')
    await press(['Enter'], 'thead th:nth-child(2) button')
    expect((await textsOf(page, '.table tbody th'))[0]).to.equal('Месяц 3')
  })
})
