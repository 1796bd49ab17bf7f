// Reports on paper, as PDF: what a person reads, in the order in which it is printed. The proof prints every one.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'puppeteer-core'
import { addDays } from '../../src/definitions/calendar.ts'
import { IS_PROOF } from '../harness/is-proof.ts'
import { LAST_TWELVE_MONTHS } from '../harness/last-twelve-months.ts'
import { gatewayOfBlock } from '../harness/shops-gateway.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { browserOfTests, catalogueShown, reportShown, textsOf } from './browser.ts'

/** Of a month: a year has fifty pages. */
const LONG = '?report=operations'
const WITH_BARS = '?report=expenses_by_category'
/** --bar of the style sheet. */
const BAR = [0x5b, 0x86, 0xe5]

const ORGANIZATION = 'ООО «Северный ветер»'

describe('a report on paper', function () {
  this.timeout(60_000)
  const browser = browserOfTests()
  const folder = temporaryFolder()
  let page: Page

  before(function () {
    if (!existsSync('/usr/bin/pdftotext'))
      skip(this, 'there is no pdftotext: install poppler-utils')
  })
  const world = gatewayOfBlock({ EXPLORER: 'on' }, { database: 'demo' })

  async function print(query: string): Promise<string> {
    // why: a link of the page does not load it again
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/${query}`)})
      dispatchEvent(new PopStateEvent('popstate'))`)
    await reportShown(page)
    const path = join(folder, 'report.pdf')
    // why: as a browser prints by default, without backgrounds; tags take as long as the rest
    const options = { preferCSSPageSize: true, printBackground: false, tagged: false }
    writeFileSync(path, await page.pdf(options))
    return path
  }

  /** The text of the cells, as far as it has one line; without the comparison beneath. */
  async function cellsOf(selector: string): Promise<string[][]> {
    const rows = await page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map(row =>
        [...row.querySelectorAll('.number, .time')].map(cell => cell.firstChild?.textContent ?? ''))`,
    )
    return rows as string[][]
  }

  it('has owner, title, period and time, bars, the head on each page, all rows, and the total last', async () => {
    page = await browser.open({ url: world.gateway.url, key: 'sk_demo_business' })
    await catalogueShown(page)
    const links = await page.$$eval('.report-link', all => all.map(({ search }) => search))
    expect(links).to.include.members([LONG, WITH_BARS])
    const printed = links.filter(query => IS_PROOF || query === LONG || query === WITH_BARS)
    const all = printed.map(query => {
      const { from, to } = LAST_TWELVE_MONTHS
      return `${query}&from=${query === LONG ? addDays(to, -30) : from}&to=${to}`
    })
    for (const query of [...all, '?report=profit_loss&compare=year']) {
      const path = await print(query)
      const text = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })
      const pages = text.split('\f').slice(0, -1)
      expectNumbers(pages, query)
      if (query.startsWith(WITH_BARS)) expectBars(path)
      const [title = ''] = await textsOf(page, 'h1')
      const [, period = ''] = await textsOf(page, '.printed')
      const [sentence = ''] = await textsOf(page, '.sentence')
      expect(period, query).to.match(/^(?:На )?\d\d\.\d\d\.\d{4}.*Данные на \d\d\.\d\d\.\d{4}/)
      const rest = expectOrder(pages.join(''), [ORGANIZATION, title, period, sentence], query)
      const heads = await textsOf(page, '.table thead th')
      for (const [at, each] of pages.entries())
        for (const word of words(heads.join(' ')))
          expect(words(each), `${query}, page ${at + 1}`).to.include(word)
      const rows = await cellsOf('.table tbody tr')
      expect(rows.length, query).to.be.greaterThan(0)
      expect(text.match(/Итого/g), query).to.deep.equal(['Итого'])
      const compared = await textsOf(page, '.table tbody th small')
      expect(compared, query).to.have.length(query.includes('compare') ? rows.length : 0)
      expectOrder(rest, compared, query)
      const totals = await cellsOf('.table tfoot tr')
      const below = expectOrder(rest, [...rows, ...totals].flat(), query)
      // beneath: the compared totals, and the foot of the page
      expect(below.split('Сводка')[0]!.replaceAll(/[^А-Яа-я]|п\.п\.|Итого/g, ''), query).to.equal(
        plain(`${title}${ORGANIZATION}`).replaceAll(/[^А-Яа-я]/g, ''),
      )
    }
  })
})

/** Pixels of bars, though backgrounds are not printed. */
function expectBars(path: string): void {
  const options = { maxBuffer: 2 ** 24 }
  const image = execFileSync('pdftoppm', ['-r', '40', '-l', '1', path], options)
  let count = 0
  for (let at = 0; at < image.length; at += 1)
    if (BAR.every((value, part) => Math.abs(image[at + part]! - value) < 4)) count += 1
  expect(count).to.be.greaterThan(200)
}

/** `1 из 2` at the end of each page. */
function expectNumbers(pages: readonly string[], query: string): void {
  for (const [at, text] of pages.entries()) {
    const [number] = /\d+ из \d+\s*$/.exec(text) ?? []
    expect(number?.trim(), query).to.equal(`${at + 1} из ${pages.length}`)
  }
}

/** Expects the texts one after another. @returns what is after them, without white space */
function expectOrder(text: string, wanted: readonly string[], query: string): string {
  const all = plain(text)
  let end = 0
  for (const each of wanted.map(plain)) {
    const found = all.indexOf(each, end)
    expect(found, `${query}: ${each} after ${all.slice(end, end + 100)}`).to.be.greaterThan(-1)
    end = found + each.length
  }
  return all.slice(end)
}

function plain(text: string): string {
  return text.replaceAll(/\s/g, '')
}

/** Words of a head may be on several lines. */
function words(text: string): string[] {
  return text.split(/[\s↓↑]+|(?<=[-–])/).filter(word => word !== '')
}
