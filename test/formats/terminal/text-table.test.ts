import { expect } from 'chai'
import {
  createTableWriter,
  type TextTableOptions,
} from '../../../src/formats/terminal/text-table.ts'
import type { RawField } from '../../../src/terms.ts'
import { load } from '../../definitions/sql-folder.ts'

const REPORT = `/*---
title: Продажи
columns:
  shop: { title: Магазин, type: text }
  opened: { title: Открыт, type: date, total: none }
  amount: { title: Сумма всех продаж, type: money, total: sum(amount) }
  share: { title: Доля, type: percent, total: "round(sum(amount) / nullif(0, 0), 1)" }
key: [shop]
summary: За {period} продано на {amount}.
emptySummary: За {period} продаж не было.
---*/
select shop, opened, amount, share from sales where organization_id = :organization_id order by shop
`

describe('the table of a report', () => {
  const definition = load({ 'reports/shop/sales.sql': REPORT }).reports.get('sales')!
  const organization = { id: '7', idType: 'integer', timeZone: 'Europe/Moscow', entitled: true }
  const period = { start: '2026-01-01', end: '2027-01-01' }

  function written(
    rows: ReadonlyArray<readonly RawField[]>,
    options: TextTableOptions = {},
    total = '123456789',
  ): string {
    const writer = createTableWriter({ definition, organization, period }, options)
    const head = writer.head()
    const body = rows.map(row => writer.row(row)).join('')
    const fields = new Map<string, RawField>([
      ['amount', total],
      ['share', null],
    ])
    const rowCount = rows.length
    const summary = definition.summarize({ fields, rowCount, period, today: '2026-11-21' })
    return head + body + writer.tail({ totals: fields, rowCount, summary })
  }

  const ROWS = [
    ['Центральный', '2024-02-29', '123456700', '100.0'],
    ['У моря', null, '89', null],
  ]

  it('has a title, columns with figures on the right, totals last and the sentence under them', () => {
    expect(written(ROWS, { organizationName: 'business' }).split('\n')).to.deep.equal([
      'Продажи, 2026 год: business, Europe/Moscow',
      '',
      'Магазин      Открыт      Сумма всех продаж     Доля',
      '───────────  ──────────  ─────────────────  ───────',
      'Центральный  29.02.2024       1 234 567,00  100,0 %',
      'У моря       —                        0,89        —',
      '───────────  ──────────  ─────────────────  ───────',
      'Итого                         1 234 567,89        —',
      '',
      'За 2026 год продано на 1\u00a0234\u00a0567,89\u00a0₽.',
      '',
    ])
  })

  it('names the organization by its id where it has no other name', () => {
    expect(written(ROWS)).to.match(/^Продажи, 2026 год: 7, Europe\/Moscow\n/)
  })

  it('of no rows has the totals and the empty sentence', () => {
    expect(written([], {}, '0').split('\n').slice(2)).to.deep.equal([
      'Магазин  Открыт  Сумма всех продаж  Доля',
      '───────  ──────  ─────────────────  ────',
      'Итого                         0,00     —',
      '',
      'За 2026 год продаж не было.',
      '',
    ])
  })

  it('wraps titles where a line is wider than the terminal', () => {
    expect(written(ROWS, { maxWidth: 46 }).split('\n').slice(2, 6)).to.deep.equal([
      '                           Сумма всех',
      'Магазин      Открыт            продаж     Доля',
      '───────────  ──────────  ────────────  ───────',
      'Центральный  29.02.2024  1 234 567,00  100,0 %',
    ])
  })

  it('then shortens texts, and no figure', () => {
    const lines = (maxWidth: number) => written(ROWS, { maxWidth }).split('\n')
    expect(lines(42)).to.include('Централ…  29.02.2024  1 234 567,00  100,0 %')
    expect(lines(10)).to.include('Централ…  29.02.2024  1 234 567,00  100,0 %')
  })

  it('lets rows out once it knows how wide they are, and shifts what is wider', () => {
    const writer = createTableWriter({ definition, organization, period }, { measuredRows: 1 })
    const first = writer.row(['А', null, '1', null])
    expect(first).to.match(/^Магазин[^]*\nА {8}— {22}0,01 {6}—\n$/)
    const second = writer.row(['Магазин на углу', null, '1', null])
    expect(second).to.equal(`Магазин на углу  —${' '.repeat(22)}0,01      —\n`)
  })

  it('leaves room for the totals of rows that it has let out', () => {
    const lines = written(ROWS, { measuredRows: 1 }, '99999999999999').split('\n')
    const ends = lines.filter(line => /,\d\d/.test(line)).map(line => line.search(/,\d\d /))
    expect(new Set(ends.slice(0, 3)).size).to.equal(1)
  })
})
