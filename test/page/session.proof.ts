// How long the key lives, and which tabs have it.
import { expect } from 'chai'
import type { Page } from 'puppeteer-core'
import { shopsFolder } from '../contract/gateways.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { browserOfTests, catalogueShown, logIn, reportShown, textsOf } from './browser.ts'
import { EXPLORED } from './reports.ts'

const KEY = 'key of shop 1'
const STORED =
  'JSON.stringify([{ ...sessionStorage }, Object.keys(localStorage), document.cookie, history.state])'

describe('the session of the page', () => {
  const browser = browserOfTests()
  const world = shopsGateway({ EXPLORER: 'on', SQL_DIR: shopsFolder(EXPLORED) })
  const open = (key: string | undefined = KEY) => browser.open({ url: world.gateway.url, key })
  const openTab = (query = '') => browser.openTab(`${world.gateway.url}/${query}`)
  const expectForm = async (page: Page) => {
    await page.waitForSelector('#key')
    expect(await textsOf(page, 'header, main h1')).to.deep.equal(['Вход по ключу'])
    expect(await page.content()).to.not.contain(KEY)
  }

  it('survives a reload, and ends with «Выйти»', async () => {
    const page = await open()
    await catalogueShown(page)
    await page.reload()
    await catalogueShown(page)
    expect(page.url()).to.not.contain('key')
    await page.click('.report-link[href*=turnover]')
    await reportShown(page)
    await page.click('header button')
    await expectForm(page)
    expect(await page.evaluate(STORED)).to.equal('[{},["svodka-log-out"],"",null]')
    await page.goBack()
    await expectForm(page)
  })

  it('is that of the other tabs, which end it together', async () => {
    const first = await open()
    await catalogueShown(first)
    const second = await openTab('?report=turnover')
    await reportShown(second)
    await second.click('header button')
    await expectForm(first)
    await expectForm(await openTab())
    // a key that is not valid is that of one tab
    await logIn(first, KEY)
    await catalogueShown(first)
    await logIn(second, 'no such key')
    await second.waitForSelector('.message:not(:empty)')
    await catalogueShown(await openTab())
  })

  it('ends in a tab that was elsewhere when another logged out', async () => {
    const first = await open()
    await catalogueShown(first)
    const second = await openTab()
    await catalogueShown(second)
    await second.goto('about:blank')
    await first.bringToFront()
    await first.click('header button')
    await expectForm(first)
    await second.bringToFront()
    await second.goBack()
    await expectForm(second)
    await expectForm(await openTab())
    // the last is where the reader was
    expect(await second.evaluate(STORED)).to.equal('[{},["svodka-log-out"],"",[0,0,0,0]]')
  })

  it('is asked for if the other tabs are of two organizations, or closed', async () => {
    const first = await open()
    const second = await openTab()
    await catalogueShown(second)
    await second.click('header button')
    await expectForm(first)
    await logIn(first, KEY)
    await logIn(second, 'key of shop 2')
    await catalogueShown(second)
    await expectForm(await openTab())
    await second.goto('about:blank')
    await first.goto('about:blank')
    const last = await openTab()
    await expectForm(last)
    expect(await last.evaluate(STORED)).to.equal('[{},["svodka-log-out"],"",null]')
  })
})
