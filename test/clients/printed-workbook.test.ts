// Workbooks of our reports as LibreOffice prints them: what overlaps, what is cut, what is too small.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import { XLSX_FORMAT } from '../../src/serve/formats/xlsx/xlsx.ts'
import type { ColumnType } from '../../src/model/terms.ts'
import { bodyOf, type Row } from '../formats/report-body.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { ourCatalog } from '../sql/subject.ts'
import { needs, run } from './clients.ts'
import { libreOffice } from './libreoffice.ts'

const CODES = [
  'operations',
  'profit_loss',
  'stock_balance',
  'customers_abc',
  'deals',
  'receivables',
]
const ROW_COUNT = 60
/** Across a page: a digit has 2.6 points then, a letter some 5. */
const MAX_DIGITS = 320
/** In points, on A4 in landscape. */
const FOOTER_TOP = 560

/** In points. */
interface Word {
  readonly text: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Page {
  readonly width: number
  readonly height: number
  readonly words: readonly Word[]
}

/** Texts of several words in which each word contains `№`, so that it differs from titles. */
function field(type: ColumnType, row: number, column: number): string {
  switch (type) {
    case 'text':
      return ['№оплата', '№поставщику', '№за', `№${row}`].slice(-1 - ((row + column) % 4)).join(' ')
    case 'date':
    case 'month':
      return `2026-${String((row % 12) + 1).padStart(2, '0')}-15`
    case 'datetime':
      return `2026-03-${String((row % 28) + 1).padStart(2, '0')} 10:00:00+00`
    case 'integer':
      return String(row * 7)
    case 'number':
      return `${row * 1234}.500`
    case 'percent':
      return `${row % 100}.5`
    case 'money':
      return String(row * 123_456_789)
  }
}

function workbookOf(definition: ReportDefinition, rowCount: number): Buffer {
  const rows = Array.from({ length: rowCount }, (_, row): Row =>
    definition.columns.map(({ type }, column) => field(type, row, column)),
  )
  const sums = [...definition.summaryColumns].map(([key, type]) => [
    key,
    rowCount === 0 && type === 'money' ? '0' : field(type, rowCount ** 2, 0),
  ])
  const totals = Object.fromEntries(sums) as Record<string, string>
  return bodyOf(XLSX_FORMAT, definition, rows, { totals, organizationName: 'ООО «Ёлка»' })
}

function readPages(html: string): Page[] {
  const numbers = (attributes: string): number[] =>
    [...attributes.matchAll(/="([\d.]+)"/g)].map(([, number]) => Number(number))
  return html
    .split('<page ')
    .slice(1)
    .map(text => {
      const [width = 0, height = 0] = numbers(text.slice(0, text.indexOf('>')))
      const words = [...text.matchAll(/<word ([^>]*)>(.*?)<\/word>/g)].map(
        ([, attributes = '', word = '']) => {
          const [left = 0, top = 0, right = 0, bottom = 0] = numbers(attributes)
          return { text: word.replaceAll('&amp;', '&'), left, top, right, bottom }
        },
      )
      return { width, height, words }
    })
}

/** In points. A column is as wide as a number of digits, so that the digits on a page do not depend on the font. */
function digitWidth({ words }: Page): number {
  const numbers = words.filter(({ text }) => /^\d{2,}$/.test(text))
  return Math.min(...numbers.map(({ text, left, right }) => (right - left) / text.length))
}

describe('a printed workbook', function () {
  this.timeout(180_000)
  const folder = temporaryFolder()
  const pagesOf = new Map<string, Page[]>()
  const definitionOf = (code: string): ReportDefinition => ourCatalog().reports.get(code)!

  before(async function () {
    const convert = await libreOffice(this, folder)
    const pdftotext = await needs(this, 'poppler-utils', ['pdftotext'], ['-v'])
    for (const code of CODES) {
      writeFileSync(join(folder, `${code}.xlsx`), workbookOf(definitionOf(code), ROW_COUNT))
    }
    writeFileSync(join(folder, 'empty.xlsx'), workbookOf(definitionOf('profit_loss'), 0))
    const names = [...CODES, 'empty']
    await convert('--convert-to', 'pdf', ...names.map(name => `${name}.xlsx`))
    for (const name of names) {
      const { stdout } = await run(pdftotext, ['-bbox', `${name}.pdf`, '-'], folder)
      pagesOf.set(name, readPages(stdout.toString()))
    }
  })

  /** Words of the titles on a page, by column; empty on the page of the second sheet. */
  function titleWords({ words }: Page, { columns }: ReportDefinition): Word[][] {
    const lines = words.filter(({ bottom }) => bottom < FOOTER_TOP)
    const candidates = lines.slice(lines.findLastIndex(({ text }) => text.includes('(')) + 1)
    return columns.map(({ title }) =>
      title.split(' ').flatMap(word => {
        const at = candidates.findIndex(({ text }) => text === word)
        return at < 0 ? [] : candidates.splice(at, 1)
      }),
    )
  }

  for (const code of CODES) {
    it(`has all columns on pages of A4 in landscape, titles above rows, and no row below them: ${code}`, () => {
      const definition = definitionOf(code)
      const { columns } = definition
      const pages = pagesOf
        .get(code)!
        .filter(({ words }) => words.some(({ text }) => text.startsWith('№')))
      expect(pages).to.not.have.lengthOf(0)
      for (const page of pages) {
        expect([Math.round(page.width), Math.round(page.height)]).to.deep.equal([842, 595])
        expect(page.width / digitWidth(page)).to.be.below(MAX_DIGITS)
        const titles = titleWords(page, definition)
        expect(titles.map(words => words.map(({ text }) => text).join(' '))).to.deep.equal(
          columns.map(({ title }) => title),
        )
        const rows = page.words.filter(({ text }) => text.startsWith('№'))
        const titlesEnd = Math.max(...titles.flat().map(({ bottom }) => bottom))
        const rowsStart = Math.min(...rows.map(({ top }) => top))
        expect(titlesEnd).to.be.at.most(rowsStart)
        for (const { text, left, right } of page.words) {
          expect(left, text).to.be.above(20)
          expect(right, text).to.be.below(page.width - 20)
          expect(text).not.to.include('###')
        }
      }
      const [first] = pages
      const text = first!.words.map(word => word.text).join(' ')
      expect(text).to.include(
        code === 'receivables'
          ? 'ООО «Ёлка» На 21 ноября 2026 года'
          : 'ООО «Ёлка» Период: с 1 января по 31 декабря 2026 года',
      )
      expect(text).to.include('Данные на 21 ноября 2026 года, 13:20 (Europe/Moscow)')
    })

    it(`has no overlapping words, and titles of figures end where the figures end: ${code}`, () => {
      const definition = definitionOf(code)
      const [page] = pagesOf.get(code)!
      const { words } = page!
      for (const [at, word] of words.entries()) {
        // why: boxes of lines of one cell overlap, because they contain the space above and below letters
        const other = words
          .slice(at + 1)
          .find(
            ({ left, right, top, bottom }) =>
              left < word.right - 0.5 &&
              right > word.left + 0.5 &&
              Math.abs(top + bottom - word.top - word.bottom) < bottom - top,
          )
        expect(other && [word, other]).to.equal(undefined)
      }
      const ends = words.filter(({ text }) => text === '₽').map(({ right }) => right)
      const titles = titleWords(page!, definition)
      const tolerance = 1.5 * digitWidth(page!)
      for (const [at, { type }] of definition.columns.entries()) {
        if (type !== 'money') continue
        const titleEnd = Math.max(...titles[at]!.map(({ right }) => right))
        expect(Math.min(...ends.map(end => Math.abs(end - titleEnd)))).to.be.below(tolerance)
      }
    })
  }

  it('shows no zero roubles for an organization without data', () => {
    const [page] = pagesOf.get('empty')!
    const texts = page!.words.map(({ text }) => text)
    expect(texts.filter(text => text === '—')).to.have.lengthOf(5)
    expect(texts).not.to.include('₽')
  })
})
