import { expect } from 'chai'
import { FieldError } from '../../../src/formats/format.ts'
import { createJsonField } from '../../../src/formats/json/json-field.ts'
import type { ColumnType, MetricFormat } from '../../../src/terms.ts'

const encode = (type: ColumnType | MetricFormat, raw: string | null, timeZone = 'Europe/Moscow') =>
  createJsonField('column', type, timeZone)(raw)

describe('createJsonField', () => {
  it('writes null for null, whatever the type', () => {
    expect(encode('money', null)).to.equal('null')
    expect(encode('text', null)).to.equal('null')
  })

  it('passes digits through as they are, above 2^53 too', () => {
    expect(encode('money', '9007199254740993')).to.equal('9007199254740993')
    expect(encode('integer', '-12')).to.equal('-12')
    expect(encode('number', '0.125')).to.equal('0.125')
    expect(encode('percent', '12.50')).to.equal('12.50')
    expect(encode('hours', '1.4')).to.equal('1.4')
  })

  it('escapes text', () => {
    const text = 'ООО «Ромашка», "кавычки"\nи 🙂 \u2028'
    expect(JSON.parse(encode('text', text))).to.equal(text)
  })

  it('cuts a month from a date', () => {
    expect(encode('month', '2026-03-01')).to.equal('"2026-03"')
    expect(encode('month', '2026-03')).to.equal('"2026-03"')
  })

  it('gives an instant the offset that the organization had then', () => {
    expect(encode('datetime', '2026-03-01 10:00:00+00')).to.equal('"2026-03-01T13:00:00+03:00"')
    expect(encode('datetime', '2026-12-31 15:00:00.25+00', 'Asia/Vladivostok')).to.equal(
      '"2027-01-01T01:00:00.25+10:00"',
    )
    expect(encode('datetime', '2026-07-01 00:00:00+00', 'America/New_York')).to.equal(
      '"2026-06-30T20:00:00-04:00"',
    )
    expect(encode('datetime', '0001-01-01 00:00:00+00')).to.equal('"0001-01-01T02:30:00+02:30"')
    expect(encode('datetime', '2014-10-25 21:59:59+00')).to.equal('"2014-10-26T01:59:59+04:00"')
    expect(encode('datetime', '2014-10-25 22:00:00+00')).to.equal('"2014-10-26T01:00:00+03:00"')
  })

  it('refuses what its type cannot hold, naming the column', () => {
    const refused: Array<[ColumnType, string]> = [
      ['money', '12.50'],
      ['money', 'NaN'],
      ['integer', '1e3'],
      ['number', 'NaN'],
      ['percent', 'Infinity'],
      ['date', 'infinity'],
      ['datetime', 'infinity'],
      ['month', 'март'],
    ]
    for (const [type, raw] of refused) {
      expect(() => encode(type, raw), `${type} ${raw}`).to.throw(FieldError, /^column: /)
    }
  })
})
