import { expect } from 'chai'
import * as fc from 'fast-check'
import { FieldError } from '../../../src/formats/format.ts'
import type { ColumnType } from '../../../src/terms.ts'
import { cellOf, forAll, shown, shownBy } from './column.ts'

const sign = fc.constantFrom('', '-')
const digit = fc.constantFrom('0', '1', '2', '5', '8', '9')
const digits = (maxLength: number) =>
  fc.string({ unit: digit, minLength: 1, maxLength, size: 'max' })
const integer = fc.tuple(sign, digits(20)).map(parts => parts.join(''))
const decimal = fc
  .tuple(integer, fc.option(digits(18)))
  .map(([whole, rest]) => (rest === null ? whole : `${whole}.${rest}`))
const isLong = (field: string): boolean => /^-?0*[1-9]\d{15}/.test(field)

describe('a field as a cell of Excel', () => {
  it('is of any text the same text', () => {
    const piece = fc.constantFrom(
      '_',
      'x',
      '_x0041',
      '\r\n',
      '\t',
      '\u0001',
      ' ',
      '&',
      '<',
      ']]>',
      '\uffff',
    )
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 20 }),
    )
    const whole = text.map(some => (typeof some === 'string' ? some : some.join('')))
    forAll('text', whole, ({ text }, field) => expect(text).to.equal(field))
  })

  it('is an integer digit for digit, as text beyond 15 of them', () => {
    forAll('integer', integer, (cell, field) => {
      const expected = isLong(field) ? `s ${field} as @` : `n ${field} as #,##0`
      expect(shownBy(cell)).to.equal(expected)
    })
  })

  it('is money in roubles digit for digit, as text beyond 15 digits of kopecks', () => {
    forAll('money', integer, ({ text, type }, field) => {
      expect(type).to.equal(isLong(field) ? 's' : 'n')
      expect(text).to.match(/^-?\d+\.\d\d$/)
      expect(BigInt(text.replace('.', ''))).to.equal(BigInt(field))
      expect(text.startsWith('-')).to.equal(field.startsWith('-'))
    })
  })

  it('is a number, or the hundredth of a percentage, that no double is nearer to', () => {
    for (const [columnType, exponent] of [
      ['number', 0],
      ['percent', -2],
    ] as const) {
      forAll(columnType, decimal, ({ text, type }, field) => {
        if (isLong(field)) return expect([type, text]).to.deep.equal(['s', field])
        const expected = Number(`${field}e${exponent}`)
        return expect(Number(text)).to.be.closeTo(expected, Math.abs(expected) * 2 ** -52)
      })
    }
  })

  it('shows as many decimals as PostgreSQL printed, and percents as percents', () => {
    expect(shown('number', '3')).to.equal('n 3 as #,##0')
    expect(shown('number', '3.50')).to.equal('n 3.50 as #,##0.00')
    expect(shown('number', '0.3333333333333333')).to.equal('n 0.3333333333333333 as #,##0.0000')
    expect(shown('percent', '12.5')).to.equal('n 0.125 as 0.0\\ %')
    expect(shown('percent', '-3')).to.equal('n -0.03 as 0\\ %')
    expect(shown('percent', '1234.05')).to.equal('n 12.3405 as 0.00\\ %')
  })

  it('has no more digits of a quotient than change its value', () => {
    const thirds = `0.000${'3'.repeat(5000)}`
    expect(cellOf('number', thirds).text).to.equal(`0.000${'3'.repeat(20)}`)
    expect(cellOf('number', `12.${'6'.repeat(5000)}`).text).to.equal(`12.${'6'.repeat(18)}`)
  })

  it('is refused where it is not of its type', () => {
    const wrong: ReadonlyArray<readonly [ColumnType, ...string[]]> = [
      ['integer', '', '-', '1.0', '1e5', 'NaN', '+1', ' 1'],
      ['money', '1.00', '-', 'Infinity'],
      ['number', '1.', '.5', '1.-5', 'NaN', ''],
      ['percent', '12,5', '-.5'],
      ['date', '2026-1-1', '2026-13-01', '2026-01-01 00:00:00', 'infinity', '12026-01-01'],
      ['month', '2026-00', '2026', '2026-1'],
      ['datetime', '2026-03-01 10:00:00', '2026-03-01 10:00:00+03', 'infinity'],
    ]
    for (const [type, ...fields] of wrong) {
      for (const field of fields) {
        expect(() => cellOf(type, field), `${type} ${field}`).to.throw(
          FieldError,
          `value: ${JSON.stringify(field)} is no ${type}`,
        )
      }
    }
  })
})
