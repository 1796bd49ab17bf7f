import { expect } from 'chai'
import { readRange } from '../../src/http/ranges.ts'

describe('readRange', () => {
  const of = (range: string, ifRange = '') => readRange(range, ifRange, '"tag"', 100)

  it('is what one range of bytes asks for', () => {
    expect(of('bytes=0-9')).to.deep.equal({ start: 0, end: 10 })
    expect(of('bytes=90-')).to.deep.equal({ start: 90, end: 100 })
    expect(of('bytes=90-1000')).to.deep.equal({ start: 90, end: 100 })
    expect(of('bytes=-10')).to.deep.equal({ start: 90, end: 100 })
    expect(of('Bytes= 5 - 5')).to.deep.equal({ start: 5, end: 6 })
    expect(of('bytes=-1000')).to.deep.equal({ start: 0, end: 100 })
  })

  it('is none past the end', () => {
    expect(of('bytes=100-')).to.equal('none')
    expect(of('bytes=-0')).to.equal('none')
    expect(of('bytes=999999999999999999999-')).to.equal('none')
  })

  it('is all for several ranges, for other units and for what is no range', () => {
    for (const range of ['bytes=0-1,5-6', 'rows=0-1', 'bytes=9-5', 'bytes=-', 'bytes', '']) {
      expect(of(range), range).to.equal(undefined)
    }
  })

  it('is all where the bytes are others by now', () => {
    expect(of('bytes=5-', '"tag"')).to.deep.equal({ start: 5, end: 100 })
    expect(of('bytes=5-', '"other"')).to.equal(undefined)
    expect(of('bytes=5-', 'W/"tag"')).to.equal(undefined)
  })
})
