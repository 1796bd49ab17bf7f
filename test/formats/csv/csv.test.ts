import { expect } from 'chai'
import * as fc from 'fast-check'
import { CSV_FORMAT } from '../../../src/formats/csv/csv.ts'
import { FieldError } from '../../../src/formats/format.ts'
import { load } from '../../definitions/sql-folder.ts'
import { anyText } from '../any-text.ts'
import { EVERY_TYPE, rowOfEveryType } from '../every-type.ts'
import { expectedJson } from '../oracle.ts'
import { readCsv } from './read-csv.ts'
import { ORGANIZATION, written, type Row } from '../written.ts'

const KEYS = EVERY_TYPE.columns.map(({ key }) => key)

const inCsv = (rows: readonly Row[]) => written(CSV_FORMAT, EVERY_TYPE, rows, {}).toString()

/** The value that JSON has: without its quotes, and without escapes. */
function valueInJson(field: Buffer | string | null, order: number): string | null {
  if (field === null) return null
  const json = expectedJson(
    EVERY_TYPE.columns[order]!.type,
    field.toString(),
    ORGANIZATION.timeZone,
  )!
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}

describe('the CSV of a report', () => {
  it('has a header of keys, values as JSON has them, and nothing after its rows', () => {
    const row = [
      'ООО "Ромашка", Москва',
      '2026-01-31',
      '2026-01-01',
      '2026-03-01 10:00:00.5+00',
      '-12',
      '0.125',
      '12.50',
      '-123450',
    ]
    expect(inCsv([row])).to.equal(
      `${KEYS.join(',')}\r\n"ООО ""Ромашка"", Москва",2026-01-31,2026-01,2026-03-01T13:00:00.5+03:00,-12,0.125,12.50,-123450\r\n`,
    )
  })

  it('of no rows has the header', () => {
    expect(inCsv([])).to.equal(`${KEYS.join(',')}\r\n`)
  })

  it('holds whatever a database does, digit for digit and byte for byte, and tells null from an empty text', () => {
    fc.assert(
      fc.property(fc.array(rowOfEveryType, { maxLength: 5 }), rows => {
        const expected = rows.map(row => row.map(valueInJson))
        expect(readCsv(inCsv(rows), ',')).to.deep.equal([KEYS, ...expected])
      }),
    )
  })

  it('disarms nothing', () => {
    expect(inCsv([['=1+1', null, null, null, null, null, null, null]])).to.include('\r\n=1+1,,')
  })

  it('is refused where a field is not of its type', () => {
    const row = [null, null, null, null, '1.5', null, null, null]
    expect(() => inCsv([row])).to.throw(FieldError, 'integer_: "1.5" is no integer')
  })
})

describe('the CSV of a report of one column', () => {
  const report = `/*---
title: Магазины
columns:
  shop: { title: Магазин, type: text }
key: [shop]
summary: За {period} магазинов {row_count}.
---*/
select shop from sales where organization_id = :organization_id order by shop
`
  const shops = load({ 'reports/shop/shops.sql': report }).reports.get('shops')!

  it('has everything in quotes and no empty line, so that null is the empty text', () => {
    const rows = [[null], [''], ['У моря'], ['\\.']]
    expect(written(CSV_FORMAT, shops, rows, {}).toString()).to.equal(
      '"shop"\r\n""\r\n""\r\n"У моря"\r\n"\\."\r\n',
    )
  })

  it('has as many lines as rows, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.option(anyText)), texts => {
        const body = written(
          CSV_FORMAT,
          shops,
          texts.map(text => [text]),
          {},
        )
        const expected = texts.map(text => [text?.toString() ?? ''])
        expect(readCsv(body.toString(), ',')).to.deep.equal([['shop'], ...expected])
      }),
    )
  })
})
