// A further language is a folder and a line: one in which each text is in brackets finds what does not follow it.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'puppeteer-core'
import { KIT } from '../../src/kit/tools.ts'
import { TEXTS, textsIn, type LanguageTexts } from '../../src/texts/texts.ts'
import { command } from '../commands/in-process.ts'
import { readWorkbook } from '../formats/xlsx/reader.ts'
import { startGateway, type TestGateway } from '../harness/gateway.ts'
import { invoicesEnvironment } from '../harness/invoices.ts'
import { writeFiles } from '../harness/write-files.ts'
import { browserOfTests, catalogueShown, reportShown } from '../page/browser.ts'

/** Greek, so that Intl has its months, and none of its letters are those of another language. */
const LANGUAGE = 'el'
function bracketed(text: unknown): unknown {
  if (typeof text === 'string') return `⟪${text}⟫`
  if (typeof text === 'function')
    return (...values: unknown[]) => `⟪${(text as (...all: unknown[]) => string)(...values)}⟫`
  if (typeof text !== 'object' || text === null) return text
  const parts = Object.entries(text).map(([name, part]: [string, unknown]) => {
    return [name, bracketed(part)]
  })
  return Object.fromEntries(parts)
}

/** A table that has each text. */
function anyText(): Readonly<Record<string, string>> {
  return new Proxy({ '': '' }, { get: (_, text) => `⟪${String(text)}⟫` })
}

function kitTable(): Readonly<Record<string, string>> {
  const templates = Object.values(KIT).map(({ template }) =>
    readFileSync(`src/kit/${template}`, 'utf8'),
  )
  const inTemplates = templates.flatMap(text => [...text.matchAll(/⟦([^⟧]*)⟧/g)])
  const own = ['Report "{title}"', 'Reports', 'as of', 'without the filter of the screen']
  const titles = Object.values(KIT).map(({ title }) => title)
  const all = [...inTemplates.map(([, text]) => text!), ...titles, ...own]
  return Object.fromEntries(all.map(text => [text, `⟪${text}⟫`]))
}

/** Letters that are neither of the language nor in its brackets. */
function foreignLetters(text: string): string {
  let rest = text
  for (let before = ''; before !== rest;) {
    before = rest
    rest = rest.replaceAll(/⟪[^⟪⟫]*⟫/g, '')
  }
  return (rest.match(/[\p{Script=Latin}\p{Script=Cyrillic}]+/gu) ?? []).join(' ')
}

/** Of formats, a zone and a group. */
const NAMES = /\b(?:UTC|Excel|XLSX|CSV|JSON|NDJSON|Parquet|sales)\b/g

const REPORT = `/*---
title: Τιμολόγια
description: Όλα.
dateBasis: payment
columns:
  number: { title: Αριθμός, type: text }
  month: { title: Μήνας, type: month, total: none }
  day: { title: Ημέρα, type: date, total: none }
  at: { title: Ώρα, type: datetime, total: none }
  share: { title: Μερίδιο, type: percent, total: none }
  digits: { title: Ψηφία, type: integer, total: none }
  amount: { title: Ποσό, type: money, total: sum(amount), aggregation: { rows: sum, periods: sum } }
key: [number, month]
parameters:
  open: { title: Ανοιχτά, type: boolean }
summary: "{in_period} {period} {period_dates} {as_of} {amount}"
---*/
select
    '001' as number, '2026-03' as month, date '2026-03-31' as day, timestamptz '2026-03-31 12:00Z' as at,
    15.3 as share, 1234567890123456789 as digits, amount
from invoices
where client_id = :organization_id and issued_on >= :period_start and issued_on < :period_end
  and (:open is null or :open)
order by number limit 1
`
const METRICS = `/*---
metrics:
  invoiced: { title: Τιμολογημένα, format: money }
  late: { title: Καθυστέρηση, format: days }
---*/
select coalesce(sum(amount), 0) as invoiced, 3 as late
from invoices
where client_id = :organization_id and issued_on >= :period_start and issued_on < :period_end
`
const PERIOD = 'from=2026-03-01&to=2026-03-30'
const KEY = 'key of client 1'

describe('a further language', () => {
  let gateway: TestGateway
  let environment: NodeJS.ProcessEnv
  const browser = browserOfTests()

  before(async () => {
    const { bodies, formats } = textsIn('en')
    const { excel, search, day } = formats
    const texts = bracketed(textsIn('en')) as LanguageTexts
    TEXTS[LANGUAGE] = {
      ...texts,
      bodies: { ...texts.bodies, check: bodies.check },
      formats: { ...texts.formats, excel, search, day, locale: 'el-GR' },
      openapi: anyText(),
      kit: kitTable(),
    }
    const invoices = await invoicesEnvironment(
      /^language: en\n.*\ntotal: .*\n/m,
      `language: ${LANGUAGE}\ncurrency: { code: EUR }\ntotal: Σύνολο\n`,
    )
    environment = invoices.environment
    const folder = environment['SQL_DIR']!
    for (const part of ['reports', 'metrics']) rmSync(join(folder, part), { recursive: true })
    writeFiles(folder, { 'reports/sales/invoices.sql': REPORT, 'metrics/sales.sql': METRICS })
    gateway = await startGateway({ ...environment, EXPLORER: 'on' })
  })
  after(async () => {
    await gateway?.stop()
    delete TEXTS[LANGUAGE]
  })

  // oxlint-disable-next-line typescript/no-explicit-any -- why: bodies of every kind
  const jsonOf = async (response: Promise<Response>): Promise<any> => (await response).json()
  const get = (path: string, headers: Record<string, string> = { 'X-Api-Key': KEY }) =>
    fetch(`${gateway.url}/api/public/v1${path}`, { headers })

  it('is that of JSON, with its comparison', async () => {
    const body = await jsonOf(get(`/reports/invoices.json?${PERIOD}&compare=year`))
    const { summary, totals, columns, compare } = body
    const titles = [...columns, ...compare.columns].map(({ title }: { title: string }) => title)
    for (const text of [summary, totals.number, ...titles]) {
      expect(text).to.not.equal(undefined)
      expect(foreignLetters(text), text).to.equal('')
    }
    expect(summary).to.contain('⟪')
    expect(titles.join()).to.contain('⟪previous year⟫').and.contain('⟪change⟫')
  })

  it('is that of a workbook, and of CSV for Excel', async () => {
    const response = await get(`/reports/invoices.xlsx?${PERIOD}&compare=year&open=true`)
    const workbook = readWorkbook(Buffer.from(await response.arrayBuffer()))
    const { lines, about, rows, sheetNames } = workbook
    const [, footer = ''] = /<oddFooter>(.*)<\/oddFooter>/.exec(
      workbook.part('xl/worksheets/sheet1.xml'),
    )!
    const cells = rows.flatMap(row => [...row.values()].map(({ text }) => text))
    const all = [...lines, ...about.flat(), ...sheetNames, ...cells].filter(text => text !== null)
    for (const text of [...all, footer.replaceAll(/&amp;[LFRPN]/g, '')])
      expect(foreignLetters(text.replaceAll('UTC', '')), text).to.equal('')
    expect(about.flat().join()).to.contain('⟪As text (more than 15 digits)⟫').and.contain('⟪yes⟫')
    const csv = await (await get(`/reports/invoices.csv?preset=excel&${PERIOD}`)).text()
    expect(foreignLetters(csv)).to.equal('')
  })

  it('is that of descriptions, and of OpenAPI with its examples', async () => {
    const { dateBasis } = await jsonOf(get('/reports/invoices/schema'))
    expect(dateBasis.title).to.equal('⟪by payment date⟫')
    const document = await jsonOf(get('/openapi.json'))
    const texts: string[] = []
    JSON.stringify(document, (name, value: unknown) => {
      if (/^(?:description|summary|title|detail)$/.test(name) && typeof value === 'string')
        texts.push(value)
      return value
    })
    expect(texts.length).to.be.above(100)
    // codes of problems, of the currency and of the group
    const codes = /`[a-z_]+`|1\/100 EUR|\bsales\b|^svodka$/g
    for (const text of texts) expect(foreignLetters(text.replaceAll(codes, '')), text).to.equal('')
  })

  it('is the default of errors, which follow Accept-Language', async () => {
    for (const [path, headers] of [
      ['/ping', {}],
      ['/ping', { 'X-Api-Key': 'none' }],
      ['/reports/none', { 'X-Api-Key': KEY }],
      ['/reports/invoices?open=1', { 'X-Api-Key': KEY }],
      ['/reports/invoices?from=x', { 'X-Api-Key': KEY, 'Accept-Language': 'de' }],
      ['/reports/invoices?from=x', { 'X-Api-Key': KEY, 'Accept-Language': 'el-CY, en' }],
    ] as const) {
      const response = await get(path, headers)
      const { title, detail } = await jsonOf(Promise.resolve(response))
      expect(response.headers.get('Content-Language')).to.equal(LANGUAGE)
      expect(foreignLetters(title + detail), detail).to.equal('')
      expect(detail).to.contain('⟪')
    }
    const russian = await jsonOf(get('/ping', { 'X-Api-Key': 'none', 'Accept-Language': 'ru' }))
    expect(russian.detail).to.match(/^Ключ .* Создайте новый в разделе «Settings > API»\.$/)
  })

  /** Those of text nodes and labels that nothing tells to be code, a name or a value. */
  async function textsOf(page: Page): Promise<string[]> {
    return (await page.evaluate(`(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const texts = []
      while (walker.nextNode())
        if (!walker.currentNode.parentElement.closest('code, pre, noscript, .about td, .about p')) texts.push(walker.currentNode.data)
      for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
        for (const name of ['aria-label', 'placeholder', 'title']) texts.push(element.getAttribute(name) ?? '')
      return [document.title, ...texts]
    })()`)) as string[]
  }

  it('is that of the page, and of its dialog of scripts', async () => {
    const expectBracketed = async (page: Page): Promise<void> => {
      const texts = await textsOf(page)
      expect(texts.join('')).to.contain('⟪')
      for (const text of texts)
        expect(foreignLetters(text.replaceAll(NAMES, '')), text).to.equal('')
    }
    const { url } = gateway
    await expectBracketed(await browser.open({ url, language: 'de' }))
    const catalogue = await browser.open({ url, language: 'de', key: KEY })
    await catalogueShown(catalogue)
    await expectBracketed(catalogue)
    const query = `?report=invoices&${PERIOD}&compare=year`
    const report = await browser.open({ url, query, language: 'de', key: KEY })
    await reportShown(report)
    await expectBracketed(report)
    await report.click('[aria-haspopup]')
    await report.waitForSelector('dialog pre')
    await expectBracketed(report)
    const unmarked = await browser.open({ url, query: '?view=reference', language: 'de', key: KEY })
    await unmarked.waitForSelector('table')
    await expectBracketed(unmarked)
    expect(browser.faults()).to.deep.equal([])
  })

  for (const tool of Object.keys(KIT))
    it(`is that of the script for ${tool}`, async () => {
      const { stdout } = await command(`kit ${tool} invoices --url http://127.0.0.1`, environment)
      expect(stdout).to.contain('⟪Report "Τιμολόγια"⟫').and.not.match(/[⟦⟧]/)
      for (const [comment] of stdout.matchAll(/^(?:#(?! {2}|!)|\/\/).*$/gm))
        expect(comment).to.match(/⟪|^\S+ \d{4}-\d\d-\d\d — /)
    })

  it('is that of the terminal, and of what svodka new makes', async () => {
    const key = join(environment['SQL_DIR']!, 'key')
    execFileSync('sh', ['-c', `printf '%s' '${KEY}' >'${key}'`])
    for (const name of ['invoices', 'metrics/sales']) {
      const line = `run ${name} --key-file ${key} --from 2026-03-01 --to 2026-03-31`
      const { stdout } = await command(line, environment)
      expect(stdout).to.contain('⟪')
    }
    await command('new sales/second', environment)
    const made = readFileSync(join(environment['SQL_DIR']!, 'reports/sales/second.sql'), 'utf8')
    expect(made).to.contain('title: ⟪New report⟫ (second)').and.contain('{There was #')
  })
})

describe('the source', () => {
  it('has texts of a language and signs of currencies in src/texts and the demo alone', () => {
    // the program for 1C is in Russian, as its language is; documents show the demo
    const listed = execFileSync('git', ['ls-files', '-z', 'src'], { encoding: 'utf8' }).split('\0')
    const others = listed.filter(
      path => !/^src\/(?:texts|demo)\/|\.md$|^src\/kit\/1c\.bsl$|^$/.test(path),
    )
    expect(others.length).to.be.above(300)
    const found = others.flatMap(path => {
      const lines = readFileSync(path, 'utf8').split('\n')
      return lines
        .map((line, at) => `${path}:${at + 1}: ${line.trim()}`)
        .filter(line => /\p{Script=Cyrillic}|(?!\$)\p{Sc}/u.test(line))
    })
    expect(found).to.deep.equal([])
  })
})
