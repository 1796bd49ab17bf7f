// The supported range of dates and instants, and cached time zone offsets.
import { expect } from 'chai'
import { createValueEnd } from '../../src/serve/formats/plain-field.ts'
import { cachedOffsets, createOffsets } from '../../src/serve/formats/local-instant.ts'
import { viewOf } from '../../src/model/row-bytes.ts'
import { cellsOf } from './report-body.ts'

type DateType = 'date' | 'month' | 'datetime'

function isOutOfRange(type: DateType, raw: string, timeZone: string): boolean {
  const bytes = Buffer.from(`-1"${raw}"1`)
  const end = 3 + Buffer.byteLength(raw)
  return createValueEnd(type, timeZone)({ bytes, view: viewOf(bytes) }, 3, end) < 0
}

describe('the range of dates', () => {
  for (const [type, raw, timeZone, expected] of cellsOf(`
date     | 0000-01-01             | Europe/Moscow    | is out
date     | 4713-01-01 BC          | Europe/Moscow    | is out
date     | 5874897-12-31          | Europe/Moscow    | is out
month    | 10000-03               | Europe/Moscow    | is out
month    | -infinity              | Europe/Moscow    | is out
month    | 9999-12                | Europe/Moscow    | is in
datetime | 0044-03-15 12:00:00.5+00 BC | Europe/Moscow | is out
datetime | 9999-12-31 20:59:59.999999+00 | Europe/Moscow | is in
datetime | 9999-12-31 21:00:00+00 | Europe/Moscow    | is out
datetime | 0001-01-01 00:00:00+00 | America/New_York | is out
datetime | 0001-01-01 04:56:00+00 | America/New_York | is in
datetime | 9999-12-31 23:59:59+00 | America/New_York | is in
datetime | 9999-12-31 13:59:59+00 | Asia/Vladivostok | is in
datetime | 9999-12-31 14:00:00+00 | Asia/Vladivostok | is out`)) {
    it(`is limited by the first and the last day in the organization's time zone and in UTC: ${raw} ${expected}`, () => {
      const found = isOutOfRange(type as DateType, raw!, timeZone!) ? 'is out' : 'is in'
      expect(found).to.equal(expected)
    })
  }

  it('does not contain text that is not a date, for which writers have an error', () => {
    for (const raw of ['', 'x', 'Infinity', 'март 2026', '2026', 'ABC BC', 'x'.repeat(40)]) {
      for (const type of ['date', 'month', 'datetime'] as const) {
        expect(isOutOfRange(type, raw, 'UTC'), `${type} ${raw}`).to.equal(false)
      }
    }
  })
})

describe('offsets of time zones', () => {
  it('are cached for a limited number of names and instants', () => {
    const name = 'europe/moscow'
    const noon = Date.parse('2026-11-21T09:00:00Z')
    for (let number = 0; number < 300; number += 1) {
      // why: each spelling is a separate name in the cache
      const spelling = Array.from(name, (letter, at) =>
        (number >> at) & 1 ? letter.toUpperCase() : letter,
      )
      expect(createOffsets(spelling.join(''))(noon)).to.equal(180)
    }
    expect(cachedOffsets(name).zoneCount).to.be.within(100, 200)
    const offsetAt = createOffsets(name)
    for (let week = 0; week < 5000; week += 1) offsetAt(week * 7 * 24 * 60 * 60 * 1000)
    expect(cachedOffsets(name).offsetCount).to.be.within(500, 4096)
    expect(offsetAt(noon)).to.equal(180)
  })
})
