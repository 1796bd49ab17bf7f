import { expect } from 'chai'
import { createAliases } from '../../src/serve/fast-path/aliases.ts'
import type { Wording } from '../../src/serve/fast-path/aliases.ts'

const organization = { id: '1', idType: 'integer', timeZone: 'Europe/Moscow', entitled: true }
const plain = { target: '/reports/a?from=2026-01-01', accept: '*/*', acceptEncoding: undefined }
const wording: Wording = { plain, organization, catalog: {} }
const MAX_BYTES = 1 << 20
const LEARNED_MS = Date.parse('2026-12-31T12:00:00Z')
const LAST_MS = Date.parse('2026-12-31T20:59:59.999Z')

/** Words that are not the same, or mean another thing by now. */
const OTHERS: ReadonlyArray<readonly [title: string, other: Partial<Wording>, nowMs: number]> = [
  ['of another organization', { organization: { ...organization, id: '2' } }, LAST_MS],
  ['of a time zone', { organization: { ...organization, timeZone: 'UTC' } }, LAST_MS],
  ['of other definitions', { catalog: {} }, LAST_MS],
  ['with another target', { plain: { ...plain, target: '/reports/a?from=2026-01-02' } }, LAST_MS],
  ['without Accept', { plain: { ...plain, accept: undefined } }, LAST_MS],
  ['with another Accept', { plain: { ...plain, accept: 'text/csv' } }, LAST_MS],
  ['with an empty Accept-Encoding', { plain: { ...plain, acceptEncoding: '' } }, LAST_MS],
  ['with another Accept-Encoding', { plain: { ...plain, acceptEncoding: 'gzip' } }, LAST_MS],
  [
    'with both in one',
    { plain: { ...plain, accept: '*/*\n', acceptEncoding: undefined } },
    LAST_MS,
  ],
  ['on the next day there', {}, LAST_MS + 1],
]

describe('createAliases', () => {
  const learned = () => {
    const aliases = createAliases<string>(MAX_BYTES)
    aliases.learn(wording, 'meaning', LEARNED_MS, 300)
    return aliases
  }

  for (const [title, other, nowMs] of OTHERS) {
    it(`finds the same words, and not those ${title}`, () => {
      const aliases = learned()
      expect(aliases.find({ ...wording }, LAST_MS)).to.equal('meaning')
      expect(aliases.find({ ...wording, ...other }, nowMs)).to.equal(undefined)
    })
  }

  it('forgets for good what no longer holds', () => {
    const aliases = learned()
    aliases.find({ ...wording, catalog: {} }, LAST_MS)
    expect(aliases.find(wording, LAST_MS)).to.equal(undefined)
    expect(aliases.byteCount()).to.equal(0)
  })

  it('counts its bytes, and gives one organization no more than its share of them', () => {
    const aliases = learned()
    expect(aliases.byteCount()).to.be.greaterThan(300 + plain.target.length)
    for (let n = 0; n < 1000; n += 1) {
      const other = { ...plain, target: `${plain.target}&n=${n}` }
      aliases.learn({ ...wording, plain: other }, 'meaning', LEARNED_MS, 300)
    }
    expect(aliases.byteCount()).to.be.within(MAX_BYTES / 8, MAX_BYTES / 4)
  })
})
