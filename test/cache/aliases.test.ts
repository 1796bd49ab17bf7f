import { expect } from 'chai'
import { createAliases } from '../../src/cache/aliases.ts'
import type { Wording } from '../../src/cache/aliases.ts'

const organization = { id: '1', idType: 'integer', timeZone: 'Europe/Moscow', entitled: true }
const catalog = {}
const wording: Wording = {
  organization,
  catalog,
  target: '/reports/a?from=2026-01-01',
  accept: '*/*',
  acceptEncoding: undefined,
}

const MAX_BYTES = 1 << 20

function setUp() {
  const aliases = createAliases<string>(MAX_BYTES)
  aliases.learn(wording, 'meaning', 1000, 300)
  return { aliases }
}

describe('createAliases', () => {
  it('finds what the same words meant', () => {
    expect(setUp().aliases.find({ ...wording }, 0)).to.equal('meaning')
  })

  it('takes no other words for the same', () => {
    const { aliases } = setUp()
    const others: Array<Partial<Wording>> = [
      { organization: { ...organization, id: '2' } },
      { target: '/reports/a?from=2026-01-02' },
      { accept: undefined },
      { accept: 'text/csv' },
      { acceptEncoding: '' },
      { acceptEncoding: 'gzip' },
      { accept: '*/*\n', acceptEncoding: undefined },
    ]
    for (const other of others) {
      expect(aliases.find({ ...wording, ...other }, 0), JSON.stringify(other)).to.equal(undefined)
    }
  })

  it('forgets at the instant that it was told', () => {
    const { aliases } = setUp()
    expect(aliases.find(wording, 999)).to.equal('meaning')
    expect(aliases.find(wording, 1000)).to.equal(undefined)
  })

  it("forgets when the organization's time zone changes, and when definitions are reloaded", () => {
    const { aliases } = setUp()
    const moved = { ...organization, timeZone: 'Asia/Vladivostok' }
    expect(aliases.find({ ...wording, organization: moved }, 0)).to.equal(undefined)
    expect(aliases.find({ ...wording, catalog: {} }, 0)).to.equal(undefined)
  })

  it('forgets for good what no longer holds', () => {
    const { aliases } = setUp()
    aliases.find({ ...wording, catalog: {} }, 0)
    expect(aliases.find(wording, 0)).to.equal(undefined)
    expect(aliases.byteCount()).to.equal(0)
  })

  it('counts its bytes, and gives one organization no more than its share of them', () => {
    const { aliases } = setUp()
    expect(aliases.byteCount()).to.be.greaterThan(300 + wording.target.length)
    for (let n = 0; n < 1000; n += 1) {
      aliases.learn({ ...wording, target: `${wording.target}&n=${n}` }, 'meaning', 1000, 300)
    }
    expect(aliases.byteCount()).to.be.within(MAX_BYTES / 8, MAX_BYTES / 4)
  })
})
