// Which dates and instants a column can show, and what is cached of time zones.
import { expect } from 'chai'
import { createIsOutOfRange, type DateType } from '../../src/formats/date-range.ts'
import { cachedOffsets, createOffsets } from '../../src/formats/zone-offsets.ts'
import { viewOf } from '../../src/row-bytes.ts'

function isOutOfRange(type: DateType, raw: string, timeZone = 'Europe/Moscow'): boolean {
  const bytes = Buffer.from(`-1"${raw}"1`)
  const end = 3 + Buffer.byteLength(raw)
  return createIsOutOfRange(type, timeZone)({ bytes, view: viewOf(bytes) }, 3, end)
}

describe('the range of dates', () => {
  const outside: ReadonlyArray<readonly [DateType, readonly string[]]> = [
    ['date', ['infinity', '-infinity', '0044-03-15 BC', '4713-01-01 BC']],
    ['date', ['10000-01-01', '5874897-12-31', '0000-01-01']],
    ['month', ['infinity', '-infinity', '0044-03-15 BC', '10000-03-01', '10000-03']],
    ['datetime', ['infinity', '-infinity', '0044-03-15 12:00:00.5+00 BC']],
    ['datetime', ['0044-03-15 12:00:00+00 BC', '10000-01-01 00:00:00+00']],
    ['datetime', ['294276-12-31 23:59:59.999999+00', '9999-12-31 21:00:00+00']],
  ]
  const inside: typeof outside = [
    ['date', ['0001-01-01', '9999-12-31']],
    ['month', ['0001-01-01', '9999-12']],
    ['datetime', ['0001-01-01 00:00:00+00', '9999-12-31 20:59:59.999999+00']],
  ]
  // why: what is no date is left to the message that says so
  const none = ['', 'x', 'Infinity', 'март 2026', '2026', 'ABC BC', 'x'.repeat(40)]
  const noDates = (['date', 'month', 'datetime'] as const).map(type => [type, none] as const)
  for (const [cases, expected] of [
    [outside, true],
    [[...inside, ...noDates], false],
  ] as const) {
    it(`${expected ? 'does not hold' : 'holds'} what it should`, () => {
      for (const [type, fields] of cases) {
        for (const raw of fields) {
          expect(isOutOfRange(type, raw), `${type} ${raw}`).to.equal(expected)
        }
      }
    })
  }

  it('ends with the first and the last day of the organization and of UTC', () => {
    for (const [timeZone, raw, expected] of [
      ['America/New_York', '0001-01-01 00:00:00+00', true],
      ['America/New_York', '0001-01-01 04:56:00+00', false],
      ['America/New_York', '9999-12-31 23:59:59+00', false],
      ['Asia/Vladivostok', '9999-12-31 14:00:00+00', true],
      ['Asia/Vladivostok', '9999-12-31 13:59:59+00', false],
    ] as const) {
      expect(isOutOfRange('datetime', raw, timeZone), `${timeZone} ${raw}`).to.equal(expected)
    }
  })
})

describe('offsets of time zones', () => {
  it('are cached for a bounded number of names and of instants', () => {
    const name = 'europe/moscow'
    const noon = Date.parse('2026-11-21T09:00:00Z')
    for (let number = 0; number < 300; number += 1) {
      // why: to a cache each spelling is another name
      const spelling = Array.from(name, (letter, at) =>
        (number >> at) & 1 ? letter.toUpperCase() : letter,
      )
      expect(createOffsets(spelling.join(''))(noon)).to.equal(180)
    }
    expect(cachedOffsets(name).zoneCount).to.be.within(100, 200)
    const offsetAt = createOffsets(name)
    for (let week = 0; week < 5000; week += 1) offsetAt(week * 7 * 24 * 60 * 60 * 1000)
    expect(cachedOffsets(name).offsetCount).to.be.within(1, 4096)
    expect(offsetAt(noon)).to.equal(180)
  })
})
