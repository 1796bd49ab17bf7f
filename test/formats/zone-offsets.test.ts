import { expect } from 'chai'
import { cachedOffsets, createOffsets } from '../../src/formats/zone-offsets.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000
const NOON = Date.parse('2026-11-21T09:00:00Z')

/** Spellings of one name: to a cache each is another. */
function spellings(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) =>
    Array.from(name, (letter, at) => ((number >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  )
}

describe('offsets of time zones', () => {
  it('are cached for a bounded number of names', function () {
    this.timeout(20_000)
    for (const timeZone of spellings('europe/moscow', 500)) {
      expect(createOffsets(timeZone)(NOON)).to.equal(180)
    }
    expect(cachedOffsets('europe/moscow').zoneCount).to.be.at.most(200)
  })

  it('are cached for a bounded number of instants', function () {
    this.timeout(20_000)
    const offsetAt = createOffsets('Asia/Vladivostok')
    for (let week = 0; week < 10_000; week += 1) offsetAt(week * WEEK_MS)
    expect(cachedOffsets('Asia/Vladivostok').offsetCount).to.be.within(1, 4096)
    expect(offsetAt(NOON)).to.equal(600)
  })
})
