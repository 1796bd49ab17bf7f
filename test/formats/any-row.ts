/** Arbitrary fields as PostgreSQL prints them, with difficult cases for each format. */
import * as fc from 'fast-check'
import { COLUMN_TYPES, type ColumnType } from '../../src/model/terms.ts'
import type { Row } from './report-body.ts'

const PLAIN = Array.from('";,\\ \u00a0a1я€🙂')
const CONTROLS = Array.from('\r\n\t\u0001\u001f\u007f\u0085\u2028\u2029—«')
const XML = ['_', 'x', '_x0041', '&', '<', ']]>', '\uffff']
const FORMULAS = Array.from("=+-@＝＋－＠\u200b\ufeff'")
const hard = fc.constantFrom(...PLAIN, ...CONTROLS, ...XML, ...FORMULAS)
const large = fc.constantFrom('"'.repeat(30_000), 'я"'.repeat(16_000), '=,\n'.repeat(10_000))

const bytesOf = (source: fc.Arbitrary<string | Uint8Array>, weight: number) => ({
  arbitrary: source.map(text => Buffer.from(text)),
  weight,
})

/** Any text of a database, including SQL_ASCII. */
export const anyText = fc.oneof(
  bytesOf(fc.string({ unit: 'grapheme', maxLength: 40 }), 8),
  bytesOf(fc.string({ unit: hard, maxLength: 20 }), 16),
  bytesOf(fc.uint8Array({ min: 1, maxLength: 20 }), 4),
  bytesOf(large, 1),
)

/** Texts with each ASCII byte at each position. */
export const TEXTS_OF_EACH_BYTE = Array.from({ length: 127 * 10 }, (_, at) => {
  const plain = 'abcdefghi'
  const index = at % 10
  return plain.slice(0, index) + String.fromCharCode(1 + Math.floor(at / 10)) + plain.slice(index)
})

const sign = fc.constantFrom('', '-')
const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^\\d{1,${maxLength}}$`))
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map(all => all.join(''))

/** Instants of the years 1-9999, often at limits of zones, calendars and programs. */
const between = (min: string, max: string) =>
  fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true })
const instant = joined(
  fc
    .oneof(
      between('2026-01-01', '2027-01-01'),
      between('1899-12-30', '1900-03-03'),
      between('0001-01-02', '0100-01-02'),
      between('0001-01-02', '9999-12-30'),
    )
    .map(date => date.toISOString().slice(0, 19).replace('T', ' ')),
  fc.constantFrom('', '.5', '.001', '.123456', '.999999'),
  fc.constant('+00'),
)
const date = instant.map(utc => utc.slice(0, 10))

interface Longest {
  readonly integer: number
  readonly decimals: number
}

/** A row of a report with a column of each type; any field may be null. */
export function anyRow({ integer, decimals }: Longest): fc.Arbitrary<Row> {
  const whole = joined(sign, fc.oneof(digits(4), digits(integer)))
  const decimal = joined(
    sign,
    digits(integer - decimals),
    fc.oneof(fc.constant(''), joined(fc.constant('.'), digits(decimals))),
  )
  const ofType: Readonly<Record<ColumnType, fc.Arbitrary<Buffer | string>>> = {
    text: anyText,
    date,
    month: fc.oneof(
      date,
      date.map(day => day.slice(0, 7)),
    ),
    datetime: instant,
    integer: whole,
    number: decimal,
    percent: decimal,
    money: whole,
  }
  return fc.tuple(...COLUMN_TYPES.map(type => fc.option(ofType[type], { freq: 8 })))
}
