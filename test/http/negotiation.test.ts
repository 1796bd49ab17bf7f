import { DEFAULT_PRODUCT } from '../../src/definitions/product.ts'
import { expect } from 'chai'
import { chooseCoding, chooseLanguage } from '../../src/serve/http/negotiation.ts'

describe('the content coding of a response', () => {
  for (const [header, coding] of [
    ['gzip, deflate, br, zstd', 'gzip'],
    ['deflate, gzip;q=0.1, br', 'gzip'],
    ['GZip;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0, *', 'identity'],
    ['gzip;q=0', 'identity'],
    ['gzip, identity', 'gzip'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0', 'identity'],
    ['*;q=0', 'identity'],
    ['br, zstd', 'identity'],
    ['', 'identity'],
    [' , ,', 'identity'],
    ['gzip;q=-1, gzip;q=x', 'identity'],
    ['gzip br', 'identity'],
    [', gzip ;\tq=0.001 ,', 'gzip'],
    [undefined, 'identity'],
  ] as const) {
    it(`for "${header}" is ${coding}`, () => {
      expect(chooseCoding(header)).to.equal(coding)
    })
  }
})

describe('a header for negotiation', () => {
  it('is ignored if it is too long to be parsed quickly', () => {
    for (const long of [`, a/${'b'.repeat(510)}`, ',a'.repeat(20)]) {
      expect(chooseCoding(`gzip${long}`)).to.equal('identity')
      expect(chooseLanguage(`en${long}`, DEFAULT_PRODUCT)).to.equal('ru')
    }
    expect(chooseCoding(`gzip${',a'.repeat(19)}`)).to.equal('gzip')
  })
})
