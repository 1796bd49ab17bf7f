import { expect } from 'chai'
import { etagMatches } from '../../src/http/etag.ts'

describe('etagMatches', () => {
  it('finds the tag alone, in a list, and made weak by a proxy', () => {
    for (const header of ['"a"', 'W/"a"', '"x", "a"', '"x",W/"a" , "y"', '*']) {
      expect(etagMatches(header, '"a"'), header).to.equal(true)
    }
  })

  it('finds nothing in another tag, a part of one or an empty header', () => {
    for (const header of ['', '"b"', '"ab"', 'a', '"a', '"b, a"']) {
      expect(etagMatches(header, '"a"'), header).to.equal(false)
    }
  })
})
