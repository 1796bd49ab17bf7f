import { expect } from 'chai'
import { createAliases } from '../../src/serve/fast-path/aliases.ts'
import type { Wording } from '../../src/serve/fast-path/aliases.ts'

const organization = { id: '1', idType: 'integer', timeZone: 'Europe/Moscow', entitled: true }
const plain = { target: '/reports/a?from=2026-01-01', accept: '*/*', acceptEncoding: undefined }
const wording: Wording = { plain, organization, catalog: {} }
const MAX_BYTES = 1 << 20

/** Words that are not the same, or mean another thing by now. */
const OTHERS: ReadonlyArray<readonly [title: string, other: Partial<Wording>, nowMs: number]> = [
  ['of another organization', { organization: { ...organization, id: '2' } }, 0],
  ['of a time zone', { organization: { ...organization, timeZone: 'UTC' } }, 0],
  ['of other definitions', { catalog: {} }, 0],
  ['with another target', { plain: { ...plain, target: '/reports/a?from=2026-01-02' } }, 0],
  ['without Accept', { plain: { ...plain, accept: undefined } }, 0],
  ['with another Accept', { plain: { ...plain, accept: 'text/csv' } }, 0],
  ['with an empty Accept-Encoding', { plain: { ...plain, acceptEncoding: '' } }, 0],
  ['with another Accept-Encoding', { plain: { ...plain, acceptEncoding: 'gzip' } }, 0],
  ['with both in one', { plain: { ...plain, accept: '*/*\n', acceptEncoding: undefined } }, 0],
  ['at the instant that they were learned for', {}, 1000],
]

describe('createAliases', () => {
  const learned = () => {
    const aliases = createAliases<string>(MAX_BYTES)
    aliases.learn(wording, 'meaning', 1000, 300)
    return aliases
  }

  for (const [title, other, nowMs] of OTHERS) {
    it(`finds the same words, and not those ${title}`, () => {
      const aliases = learned()
      expect(aliases.find({ ...wording }, 999)).to.equal('meaning')
      expect(aliases.find({ ...wording, ...other }, nowMs)).to.equal(undefined)
    })
  }

  it('forgets for good what no longer holds', () => {
    const aliases = learned()
    aliases.find({ ...wording, catalog: {} }, 0)
    expect(aliases.find(wording, 0)).to.equal(undefined)
    expect(aliases.byteCount()).to.equal(0)
  })

  it('counts its bytes, and gives one organization no more than its share of them', () => {
    const aliases = learned()
    expect(aliases.byteCount()).to.be.greaterThan(300 + plain.target.length)
    for (let n = 0; n < 1000; n += 1) {
      const other = { ...plain, target: `${plain.target}&n=${n}` }
      aliases.learn({ ...wording, plain: other }, 'meaning', 1000, 300)
    }
    expect(aliases.byteCount()).to.be.within(MAX_BYTES / 8, MAX_BYTES / 4)
  })
})
