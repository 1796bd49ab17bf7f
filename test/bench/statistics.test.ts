import { expect } from 'chai'
import { median, ratioOf, waver } from './statistics.ts'

describe('the statistics of rounds', () => {
  it('the median is the middle value, or the mean of the two in the middle', () => {
    expect(median([9, 1, 5])).to.equal(5)
    expect(median([9, 1, 5, 7])).to.equal(6)
    expect(() => median([])).to.throw(RangeError)
  })

  it('a ratio is that of medians, and its spread that of single rounds', () => {
    const ratio = ratioOf([80, 90, 40], [100, 100, 80])
    expect(ratio.value).to.equal(0.8)
    expect(ratio.spread).to.deep.equal([0.5, 0.9])
  })

  it('rounds of different number have no ratio', () => {
    expect(() => ratioOf([1, 2], [1])).to.throw(RangeError)
  })

  it('rounds waver by the highest over the lowest', () => {
    expect(waver([100, 140, 120])).to.equal(1.4)
  })
})
