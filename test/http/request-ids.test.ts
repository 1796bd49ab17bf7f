import { expect } from 'chai'
import * as fc from 'fast-check'
import { createRequestIds } from '../../src/http/request-ids.ts'

const FITS = /^[A-Za-z0-9._-]{1,64}$/

describe('request ids', () => {
  it('are a prefix and a counter', () => {
    const ids = createRequestIds('p')
    expect([ids.next(), ids.of(''), ids.next()]).to.deep.equal(['p-1', 'p-2', 'p-3'])
  })

  it('have a prefix of 64 random bits, another one for each process', () => {
    const prefixes = Array.from({ length: 1000 }, () => createRequestIds().next().slice(0, -2))
    expect(new Set(prefixes)).to.have.lengthOf(1000)
    for (const prefix of prefixes) expect(prefix).to.match(/^[0-9a-f]{16}$/)
  })

  it("are the client's own if they fit", () => {
    const ids = createRequestIds('ours')
    fc.assert(
      fc.property(fc.stringMatching(FITS), header => {
        expect(ids.of(header)).to.equal(header)
      }),
    )
  })

  it('are ours where the header does not fit, and fit themselves', () => {
    const ids = createRequestIds()
    const unfit = ['', 'x'.repeat(65), 'a b', 'a\n', 'ключ', '"a"', 'a,b']
    const given = unfit.map(header => ids.of(header))
    expect(new Set(given)).to.have.lengthOf(unfit.length)
    for (const id of given)
      expect(id)
        .to.match(/^[0-9a-f]{16}-[1-9]\d*$/)
        .and.match(FITS)
  })
})
