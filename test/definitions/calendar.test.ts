import { expect } from 'chai'
import * as fc from 'fast-check'
import { localDate, utcOffsetOf } from '../../src/definitions/calendar.ts'

describe('calendar', () => {
  const newYearInVladivostok = Date.parse('2026-12-31T14:00:00Z')

  it('returns the date of each zone at an instant', () => {
    expect(localDate(newYearInVladivostok, 'Asia/Vladivostok')).to.equal('2027-01-01')
    expect(localDate(newYearInVladivostok, 'Europe/Moscow')).to.equal('2026-12-31')
    expect(localDate(newYearInVladivostok - 1, 'Asia/Vladivostok')).to.equal('2026-12-31')
  })

  it('returns the UTC offset of a zone, also around clock changes', () => {
    expect(utcOffsetOf(newYearInVladivostok, 'Asia/Vladivostok')).to.equal(600)
    expect(utcOffsetOf(Date.parse('2026-07-01T00:00:00.789Z'), 'America/New_York')).to.equal(-240)
    expect(utcOffsetOf(Date.parse('2026-01-01T00:00:00Z'), 'Asia/Kolkata')).to.equal(330)
    expect(utcOffsetOf(Date.parse('2010-07-01T00:00:00Z'), 'Europe/Moscow')).to.equal(240)
  })

  it('returns it in the years 1 BC to 99', () => {
    for (const instant of [
      '0001-01-01T00:00:00Z',
      '0050-07-01T12:00:00Z',
      '0099-12-31T23:59:59Z',
    ]) {
      const ms = Date.parse(instant)
      expect(utcOffsetOf(ms, 'UTC')).to.equal(0)
      expect(utcOffsetOf(ms, 'Europe/Moscow')).to.equal(150 + 17 / 60)
      expect(utcOffsetOf(ms, 'America/New_York')).to.equal(-(4 * 60 + 56 + 2 / 60))
    }
    expect(localDate(Date.parse('0001-01-01T00:00:00Z'), 'America/New_York')).to.equal('0000-12-31')
  })

  it('throws an error with the name of an unknown zone', () => {
    expect(() => localDate(0, 'Mars/Olympus')).to.throw('"Mars/Olympus" is unknown')
  })

  it('returns the date at an instant, independent of earlier calls in the same quarter-hour', () => {
    const zones = fc.constantFrom(
      'Europe/Moscow',
      'Asia/Kathmandu',
      'America/St_Johns',
      'America/Santiago',
      'Africa/Cairo',
      'Pacific/Kiritimati',
      'UTC',
    )
    const day = fc.integer({ min: Date.parse('2012-01-02'), max: Date.parse('2037-12-30') })
    fc.assert(
      fc.property(day, zones, (someMs, zone) => {
        const formatted = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
        const quarter = Math.floor(someMs / 900_000) * 900_000
        for (let at = quarter; at < quarter + 86_400_000; at += 900_000) {
          localDate(at, zone)
          expect(localDate(at + 899_999, zone)).to.equal(formatted.format(at + 899_999))
        }
      }),
      { numRuns: 20 },
    )
  })
})
