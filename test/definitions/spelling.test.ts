import { expect } from 'chai'
import { nearest, suggest } from '../../src/definitions/spelling.ts'

describe('spelling', () => {
  it('finds the word that is a slip away', () => {
    const words = ['period_start', 'period_end', 'today']
    expect(nearest('period_strat', words)).to.equal('period_start')
    expect(nearest('Periodend', words)).to.equal('period_end')
    expect(nearest('tody', words)).to.equal('today')
    expect(nearest('organization', words)).to.equal(undefined)
  })

  it('prefers the nearest of many', () => {
    expect(nearest('total', ['totals', 'total_', 'total'])).to.equal('total')
  })

  it('lists what there is where nothing is near', () => {
    expect(suggest('x', ['title', 'summary'])).to.equal('expected one of title, summary')
    expect(suggest('x', [])).to.equal('expected none')
    expect(suggest('titel', ['title'])).to.equal('did you mean "title"?')
  })
})
