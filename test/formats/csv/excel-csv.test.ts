import { expect } from 'chai'
import * as fc from 'fast-check'
import { EXCEL_CSV_FORMAT } from '../../../src/formats/csv/excel-csv.ts'
import { load } from '../../definitions/sql-folder.ts'
import { anyText } from '../any-text.ts'
import { readCsv } from './read-csv.ts'
import { written, type Row } from '../written.ts'

const REPORT = `/*---
title: Продажи
columns:
  shop: { title: Магазин, type: text }
  amount: { title: "Сумма; руб.", type: money, total: sum(amount) }
  share: { title: "-Доля", type: percent, total: "round(avg(share), 1)" }
  note: { title: Заметка, type: text, total: none }
key: [shop]
summary: За {period} продано на {amount}.
---*/
select shop, amount, share, note from sales where organization_id = :organization_id order by shop
`
const sales = load({ 'reports/shop/sales.sql': REPORT }).reports.get('sales')!
const TOTALS = { amount: '-9007199254740993', share: null }

const inExcel = (rows: readonly Row[]) => written(EXCEL_CSV_FORMAT, sales, rows, TOTALS).toString()

/** What a spreadsheet may run, said plainly. */
function isFormula(text: string): boolean {
  const first = text.replace(/^[\s\p{Cc}\p{Cf}"']+/u, '').charAt(0)
  const runs = first !== '' && '=+-@＝＋－＠'.includes(first)
  return text !== '-' && (runs || /^[\t\r\n]/.test(text))
}

describe('the CSV of a report for Excel', () => {
  it('has a byte order mark, titles, roubles, decimal commas, and the totals last', () => {
    expect(inExcel([['У моря', '-123450', '12.50', null]])).to.equal(
      `\ufeffМагазин;"Сумма; руб.";"'-Доля";Заметка\r\nУ моря;-1234,50;12,50;\r\nИтого;-90071992547409,93;;\r\n`,
    )
  })

  it('of no rows has titles and totals', () => {
    expect(inExcel([]).split('\r\n')).to.have.lengthOf(3)
  })

  it('disarms a text that is run as a formula, holds every other as it is, and has a number behind none', () => {
    const dangerous = fc.constantFrom(...' \u00a0\u200b\ufeff\'"=+-@＝＋－＠\t\r\n,;яa1'.split(''))
    const text = fc.oneof(anyText.map(String), fc.string({ unit: dangerous, maxLength: 6 }))
    fc.assert(
      fc.property(fc.option(text), text, fc.bigInt(), (shop, note, kopecks) => {
        const rows = readCsv(inExcel([[shop, `${kopecks}`, null, note]]), ';')
        const amount = rows[1]![1]!
        const cell = (some: string) => (isFormula(some) ? `'${some}` : some)
        expect(rows[1]).to.deep.equal([shop === null ? null : cell(shop), amount, null, cell(note)])
        expect(amount).to.match(/^-?\d+,\d\d$/)
        expect(BigInt(amount.replace(',', ''))).to.equal(kopecks)
      }),
      { numRuns: 500 },
    )
  })
})
