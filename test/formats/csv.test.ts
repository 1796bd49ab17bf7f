import { expect } from 'chai'
import * as fc from 'fast-check'
import { CSV_FORMAT } from '../../src/serve/formats/csv/csv.ts'
import { EXCEL_CSV_FORMAT } from '../../src/serve/formats/csv/excel-csv.ts'
import type { ColumnType } from '../../src/model/terms.ts'
import { anyRow, anyText, TEXTS_OF_EACH_BYTE } from './any-row.ts'
import { readCsv } from './csv/read-csv.ts'
import { excelValue, plainValue } from './oracle.ts'
import { EVERY_TYPE, OF_TYPE, reportOf, SALES_COLUMNS, bodyOf, type Row } from './report-body.ts'

const rows = fc.array(anyRow({ integer: 30, decimals: 20 }), { maxLength: 5 })
const KEYS = EVERY_TYPE.columns.map(({ key }) => key)

const valuesBy =
  (valueOf: (type: ColumnType, raw: string) => string) =>
  (row: Row): Array<string | null> =>
    row.map((field, index) =>
      field === null ? null : valueOf(EVERY_TYPE.columns[index]!.type, field.toString()),
    )

describe('the CSV of a report', () => {
  it('has a header of keys, the values of JSON for any data, and distinguishes null from an empty text', () => {
    fc.assert(
      fc.property(rows, rows => {
        const body = bodyOf(CSV_FORMAT, EVERY_TYPE, rows).toString()
        expect(readCsv(body, ',')).to.deep.equal([KEYS, ...rows.map(valuesBy(plainValue))])
      }),
    )
  })

  it('quotes a text with a possible separator or an outer blank', () => {
    const expected = TEXTS_OF_EACH_BYTE.map(text => {
      const needsQuotes = /[\p{Cc}",;]|^ | $/u.test(text.replace('\u007f', 'x'))
      return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text
    })
    const body = bodyOf(
      CSV_FORMAT,
      OF_TYPE.text,
      TEXTS_OF_EACH_BYTE.map(text => ['a', text]),
    )
    expect(body.toString()).to.equal(
      `label,value\r\n${expected.map(text => `a,${text}\r\n`).join('')}`,
    )
  })

  it('of one column quotes all fields, so that null is the empty text and no line is empty', async () => {
    const shops = await reportOf({ shop: 'title: Магазин, type: text' })
    fc.assert(
      fc.property(fc.array(fc.option(anyText)), texts => {
        const body = bodyOf(
          CSV_FORMAT,
          shops,
          texts.map(text => [text]),
        )
        const quoted = texts.map(text => `"${text?.toString().replaceAll('"', '""') ?? ''}"\r\n`)
        expect(body.toString()).to.equal(`"shop"\r\n${quoted.join('')}`)
      }),
    )
  })
})

describe('the CSV of a report for Excel', () => {
  it('has a byte order mark, titles, and the totals last', async () => {
    const sales = await reportOf({
      ...SALES_COLUMNS,
      amount: 'title: "Сумма; руб.", type: money, total: sum(amount)',
      note: 'title: "-Заметка", type: text, total: none',
    })
    const options = { totals: { amount: '-9007199254740993' } }
    expect(bodyOf(EXCEL_CSV_FORMAT, sales, [['У моря', '-5', null]], options).toString()).to.equal(
      `\ufeffМагазин;"Сумма; руб.";"'-Заметка"\r\nУ моря;-0,05;\r\nИтого;-90071992547409,93;\r\n`,
    )
  })

  it('has roubles, decimal commas, local times and escaped formulas for any data', () => {
    fc.assert(
      fc.property(rows, rows => {
        const body = bodyOf(EXCEL_CSV_FORMAT, EVERY_TYPE, rows).toString()
        const [, ...lines] = readCsv(body.slice(1), ';')
        expect(lines.slice(0, -1)).to.deep.equal(rows.map(valuesBy(excelValue)))
      }),
      { numRuns: 200 },
    )
  })

  it('adds a word to a month and its year, which spreadsheets would read as a date', () => {
    const months = ['Январь 2026', 'май 2026', '31 декабря 1999', 'Сентябрь 2026', '1 июля 2026']
    const others = [
      'Январь',
      'Январь 2026 г.',
      'Январь 26',
      'январский 2026',
      '№ 2026',
      'май  2026',
    ]
    const body = bodyOf(
      EXCEL_CSV_FORMAT,
      OF_TYPE.text,
      [...months, ...others].map(text => ['a', text]),
    )
    const [, ...lines] = readCsv(body.toString().slice(1), ';')
    const texts = [...months.map(month => `${month} года`), ...others]
    expect(lines.slice(0, -1).map(([, text]) => text)).to.deep.equal(texts)
    const plain = bodyOf(CSV_FORMAT, OF_TYPE.text, [['a', 'Январь 2026']]).toString()
    expect(plain).to.include('a,Январь 2026\r\n')
  })

  it('escapes formulas and no other text, even if Excel reads it as a number or a date', () => {
    const formulas = '=1+1 +7999 -1 @SUM(A1) ＝1+1 ＋1 －1 ＠SUM(A1) "=A1&" \ta \ra \na'.split(' ')
    const before = Array.from("\u00a0\u200b\ufeff\u3000\u0001\u202e '")
    const plain = '0012 1-2 2E5 40702810900000012345 - — «=» а=б №1 a,=1+1 a\t=1+1'.split(' ')
    const formulaTexts = [...formulas, ...before.map(blank => `${blank}=1+1`)]
    const broken = Buffer.from([0xff, 0x3d, 0x31])
    const body = bodyOf(
      EXCEL_CSV_FORMAT,
      OF_TYPE.text,
      [...formulaTexts, ...plain, broken].map(text => ['a', text]),
    )
    const [, ...lines] = readCsv(body.toString().slice(1), ';')
    expect(lines.slice(0, -1).map(([, text]) => text)).to.deep.equal([
      ...formulaTexts.map(text => `'${text}`),
      ...plain,
      '\ufffd=1',
    ])
  })
})
