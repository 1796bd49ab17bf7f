import { expect } from 'chai'
import * as fc from 'fast-check'
import { FieldError } from '../../../src/formats/format.ts'
import { createJsonField } from '../../../src/formats/json/json-field.ts'
import { COLUMN_TYPES, type ColumnType } from '../../../src/terms.ts'
import { expectedJson } from '../oracle.ts'

const ZONES = [
  'Europe/Moscow',
  'Asia/Kathmandu',
  'America/New_York',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
  'UTC',
]

/** A field as written, or the message that it is refused with. */
function written(type: ColumnType, raw: string, timeZone: string): string {
  try {
    return createJsonField('column', type, timeZone)(raw)
  } catch (error) {
    if (error instanceof FieldError) return error.message
    throw error
  }
}

function expectSame(type: ColumnType, raw: string, timeZone = 'Europe/Moscow'): void {
  const expected =
    expectedJson(type, raw, timeZone) ?? `column: ${JSON.stringify(raw)} is no ${type}`
  expect(written(type, raw, timeZone)).to.equal(expected)
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\u0001', '\u001f', '\u007f', 'a', 'я', '€', '🙂'),
  }),
)

const almostNumber = fc.string({
  unit: fc.constantFrom('-', '.', '0', '1', '9', '+', 'e'),
  maxLength: 6,
})

const instant = fc
  .date({ min: new Date('1970-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 19).replace('T', ' '))

/** Where a library writes its least instant, and years have fewer than three digits. */
const early = fc
  .date({ min: new Date('0001-01-01'), max: new Date('0100-01-02'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 19).replace('T', ' '))

const near2026 = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 19).replace('T', ' '))

const fraction = fc.constantFrom('', '.5', '.123456')

describe('a field as bytes of JSON', () => {
  it('is of any text what JSON.stringify makes of it', () => {
    fc.assert(fc.property(text, raw => expectSame('text', raw)))
  })

  it('is of each byte that JSON escapes, in each place among plain ones, what JSON.stringify makes', () => {
    for (let code = 1; code < 0x80; code += 1) {
      for (let at = 0; at < 9; at += 1) {
        const plain = 'abcdefgh'
        expectSame('text', plain.slice(0, at) + String.fromCharCode(code) + plain.slice(at))
      }
    }
  })

  it('is a number digit for digit, and nothing else is one', () => {
    fc.assert(
      fc.property(almostNumber, raw => {
        for (const type of ['integer', 'money', 'number', 'percent'] as const) expectSame(type, raw)
      }),
      { numRuns: 2000 },
    )
  })

  it('is a date or a month, and nothing else is one', () => {
    const shaped = fc
      .array(fc.constantFrom('0', '1', '9', '-', '2026', '2026-01', '-01'), { maxLength: 5 })
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(shaped, text), raw => {
        for (const type of ['date', 'month'] as const) expectSame(type, raw)
      }),
      { numRuns: 2000 },
    )
  })

  it('is the local instant, whatever the zone', () => {
    const any = fc.tuple(fc.oneof(instant, near2026, early), fraction, fc.constantFrom(...ZONES))
    fc.assert(
      fc.property(any, ([utc, fraction, zone]) =>
        expectSame('datetime', `${utc}${fraction}+00`, zone),
      ),
      { numRuns: 500 },
    )
  })

  it('is the local instant of many in one column, in any order', () => {
    const column = fc.tuple(fc.array(near2026, { maxLength: 30 }), fc.constantFrom(...ZONES))
    fc.assert(
      fc.property(column, ([instants, zone]) => {
        const field = createJsonField('column', 'datetime', zone)
        for (const utc of [...instants, ...instants.toSorted()]) {
          expect(field(`${utc}+00`)).to.equal(expectedJson('datetime', `${utc}+00`, zone))
        }
      }),
    )
  })

  it('is refused, in the same words, where it is not of its type', () => {
    const numbers = [
      'NaN',
      'Infinity',
      '',
      '-',
      '1.',
      '.5',
      '1.-5',
      '1.5.2',
      '+1',
      '1 ',
      '٣',
      '1\n',
    ]
    const instants = [
      'infinity',
      '2026-03-01 10:00:00',
      '2026-03-01 10:00:00+03',
      '2026-03-01T10:00:00+00',
      '2026-03-01 10:00:00.+00',
      '12026-03-01 10:00:00+00',
      '0044-03-15 10:00:00+00 BC',
    ]
    const wrong = [...numbers, ...instants]
    for (const type of COLUMN_TYPES) for (const raw of wrong) expectSame(type, raw)
  })
})
