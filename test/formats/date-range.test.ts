import { expect } from 'chai'
import * as fc from 'fast-check'
import { createIsOutOfRange, type DateType } from '../../src/formats/date-range.ts'
import { createJsonField } from '../../src/formats/json/json-field.ts'
import { viewOf } from '../../src/row-bytes.ts'

function isOutOfRange(type: DateType, raw: string, timeZone = 'Europe/Moscow'): boolean {
  const bytes = Buffer.from(`-1"${raw}"1`)
  const end = 3 + Buffer.byteLength(raw)
  return createIsOutOfRange(type, timeZone)({ bytes, view: viewOf(bytes) }, 3, end)
}

describe('the range of dates', () => {
  const outside: Array<[DateType, string]> = [
    ['date', 'infinity'],
    ['date', '-infinity'],
    ['date', '0044-03-15 BC'],
    ['date', '4713-01-01 BC'],
    ['date', '10000-01-01'],
    ['date', '5874897-12-31'],
    ['month', 'infinity'],
    ['month', '-infinity'],
    ['month', '0044-03-15 BC'],
    ['month', '10000-03-01'],
    ['month', '10000-03'],
    ['datetime', 'infinity'],
    ['datetime', '-infinity'],
    ['datetime', '0044-03-15 12:00:00+00 BC'],
    ['datetime', '0044-03-15 12:00:00.5+00 BC'],
    ['datetime', '10000-01-01 00:00:00+00'],
    ['datetime', '294276-12-31 23:59:59.999999+00'],
    ['datetime', '9999-12-31 21:00:00+00'],
  ]
  for (const [type, raw] of outside) {
    it(`does not hold the ${type} ${raw}`, () => {
      expect(isOutOfRange(type, raw)).to.equal(true)
    })
  }

  const inside: Array<[DateType, string]> = [
    ['date', '0001-01-01'],
    ['date', '9999-12-31'],
    ['month', '0001-01-01'],
    ['month', '9999-12'],
    ['datetime', '0001-01-01 00:00:00+00'],
    ['datetime', '9999-12-31 20:59:59.999999+00'],
  ]
  for (const [type, raw] of inside) {
    it(`holds the ${type} ${raw}`, () => {
      expect(isOutOfRange(type, raw)).to.equal(false)
    })
  }

  it('ends with the first and the last day of the organization and of UTC', () => {
    const cases: Array<[string, string, boolean]> = [
      ['America/New_York', '0001-01-01 00:00:00+00', true],
      ['America/New_York', '0001-01-01 05:00:00+00', false],
      ['America/New_York', '9999-12-31 23:59:59+00', false],
      ['Asia/Vladivostok', '9999-12-31 14:00:00+00', true],
      ['Asia/Vladivostok', '9999-12-31 13:59:59+00', false],
    ]
    for (const [timeZone, raw, expected] of cases) {
      expect(isOutOfRange('datetime', raw, timeZone), `${timeZone} ${raw}`).to.equal(expected)
    }
  })

  it('leaves what is no date to the message that says so', () => {
    for (const raw of ['', 'x', 'Infinity', 'март 2026', '2026', 'ABC BC', 'x'.repeat(40)]) {
      for (const type of ['date', 'month', 'datetime'] as const) {
        expect(isOutOfRange(type, raw), `${type} ${raw}`).to.equal(false)
      }
    }
  })

  it('holds exactly the instants that JSON can show', () => {
    const instant = fc
      .date({
        min: new Date('-000300-01-01T00:00Z'),
        max: new Date('+010300-01-01T00:00Z'),
        noInvalidDate: true,
      })
      .filter(date => date.getUTCFullYear() !== 0)
    const nearEnds = fc
      .tuple(fc.constantFrom('0001-01-01', '9999-12-31'), fc.integer({ min: 0, max: 86_399 }))
      .map(([day, second]) => new Date(Date.parse(`${day}T00:00Z`) + second * 1000))
    const zones = fc.constantFrom('Europe/Moscow', 'America/New_York', 'Pacific/Kiritimati', 'UTC')
    fc.assert(
      fc.property(fc.oneof(instant, nearEnds), zones, (date, timeZone) => {
        const raw = printed(date)
        if (isOutOfRange('datetime', raw, timeZone)) return
        const json = JSON.parse(createJsonField('at', 'datetime', timeZone)(raw)) as string
        expect(json).to.match(/^(?!0000)\d{4}-\d\d-\d\dT/)
        expect(date.getUTCFullYear()).to.be.within(1, 9999)
      }),
    )
  })
})

/** As PostgreSQL prints it in UTC. */
function printed(date: Date): string {
  const year = date.getUTCFullYear()
  const rest = date.toISOString().replace(/^[+-]?\d+/, '')
  const digits = String(year < 0 ? 1 - year : year).padStart(4, '0')
  return `${digits}${rest.slice(0, 6)} ${rest.slice(7, 15)}+00${year < 0 ? ' BC' : ''}`
}
