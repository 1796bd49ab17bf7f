import { expect } from 'chai'
import * as fc from 'fast-check'
import { localDate, utcOffsetOf } from '../../src/definitions/calendar.ts'

describe('calendar', () => {
  it('returns the UTC offset of a zone in the years 1 BC to 99', () => {
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
    const day = fc.integer({ min: Date.parse('2009-01-02'), max: Date.parse('2037-12-30') })
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
