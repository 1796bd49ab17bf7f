import { expect } from 'chai'
import { parseWeightedList } from '../../src/http/weighted-list.ts'

describe('parseWeightedList', () => {
  it('reads names in lower case with their weights, in their order', () => {
    expect(parseWeightedList('Text/CSV ;header=present; Q=0.5, *;q=0,ru')).to.deep.equal([
      { name: 'text/csv', weight: 0.5 },
      { name: '*', weight: 0 },
      { name: 'ru', weight: 1 },
    ])
  })

  it('ignores empty elements, and takes a weight that is no number for 0', () => {
    expect(parseWeightedList(' ,,;q=1, a;q=x, b;q=-1, c;q=7')).to.deep.equal([
      { name: 'a', weight: 0 },
      { name: 'b', weight: 0 },
      { name: 'c', weight: 1 },
    ])
    expect(parseWeightedList('')).to.deep.equal([])
  })
})
