import { expect } from 'chai'
import { NoRoomError } from '../../../src/formats/format.ts'
import { XLSX_FORMAT } from '../../../src/formats/xlsx/xlsx.ts'
import { load } from '../../definitions/sql-folder.ts'
import { written as writtenIn, type Row } from '../written.ts'
import { readWorkbook } from './reader.ts'

const REPORT = `/*---
title: Продажи
columns:
  shop: { title: Магазин, type: text }
  count: { title: Чеков, type: integer, total: sum(count) }
key: [shop]
summary: За {period} {count} чеков.
---*/
select shop, count from sales where organization_id = :organization_id order by shop
`

describe('the limits of a workbook', () => {
  const definition = load({ 'reports/shop/sales.sql': REPORT }).reports.get('sales')!
  const written = (rows: readonly Row[], count = '0') =>
    writtenIn(XLSX_FORMAT, definition, rows, { count })

  it('let a cell have 32,767 characters as Excel counts them, whatever they are in bytes', () => {
    const longest = ['я'.repeat(32_767), `${'😀'.repeat(16_383)}&`, '\u0001'.repeat(32_767)]
    const { rows } = readWorkbook(written(longest.map(text => [text, null])))
    expect(rows.slice(1, -1).map(row => row.get('A')!.text)).to.deep.equal(longest)
  })

  it('refuse a longer text, and cut none', () => {
    for (const text of ['я'.repeat(32_768), '😀'.repeat(16_384)]) {
      expect(() => written([[text, null]]))
        .to.throw(NoRoomError, 'The column "Магазин" has a value of 32768 characters')
        .with.nested.property('detail.ru')
        .that.includes('В столбце «Магазин» есть значение длиной 32768 знаков')
    }
  })

  it('refuse a longer number, in a row or in the totals', () => {
    const digits = '9'.repeat(40_000)
    expect(() => written([['а', digits]])).to.throw(NoRoomError, '"Чеков"')
    expect(() => written([], digits)).to.throw(NoRoomError, '"Чеков"')
  })

  it('leave room for titles and totals among the rows', () => {
    expect(XLSX_FORMAT.maxRows).to.equal(1_048_574)
  })
})
