import { expect } from 'chai'
import { verdictOf } from './scenario.ts'
import type { Figure, Outcome } from './scenario.ts'
import { tableOf } from './table.ts'

function outcome(figures: readonly Figure[], more: Partial<Outcome> = {}): Outcome {
  const scenario = { fault: 'F00', name: 'nothing', hypothesis: 'all is well', run: async () => [] }
  return { group: 'none', scenario, figures, violations: [], answers: [], seconds: 1, ...more }
}

describe('the table of faults', () => {
  it('reaches what every figure and invariant holds for', () => {
    expect(verdictOf(outcome([{ name: 'a', value: 1, atMost: 1, atLeast: 1 }]))).to.equal('reached')
  })

  const short: Array<[string, Outcome]> = [
    ['a figure that is too high', outcome([{ name: 'a', value: 2, atMost: 1 }])],
    ['a figure that is too low', outcome([{ name: 'a', value: 2, atLeast: 3 }])],
    ['a figure that is another', outcome([{ name: 'a', value: 2, exactly: 3 }])],
    ['no number', outcome([{ name: 'a', value: Number.NaN, atMost: 1 }])],
    ['no figure', outcome([])],
    ['an invariant', outcome([{ name: 'a', value: 1 }], { violations: ['a body is cut off'] })],
    ['what broke off', outcome([{ name: 'a', value: 1 }], { broke: 'no server' })],
  ]
  for (const [what, its] of short) {
    it(`falls short for ${what}, and ends by naming it`, () => {
      expect(verdictOf(its)).to.equal('FALLS SHORT')
      expect(tableOf([its]).at(-1)).to.equal('FALLS SHORT, 1 of 1: F00 nothing')
    })
  }

  it('says that one that falls short was not alone', () => {
    const figures = [{ name: 'a', value: 2, atMost: 1 }]
    const said =
      'others wanted a processor for 40 % of the time before it began: run it again alone'
    expect(tableOf([outcome(figures, { pressure: 40 })])).to.include(`F00 nothing: ${said}`)
    expect(tableOf([outcome(figures, { pressure: 5 })]).join()).not.to.include('processor')
  })

  it('says beneath the table what a figure is made of', () => {
    const lines = tableOf([outcome([{ name: 'a', value: 2, detail: 'b and c' }])])
    expect(lines).to.include('F00 nothing: a: b and c')
    expect(lines[1]).not.to.include('b and c')
  })

  it('marks the figure that is not reached', () => {
    const lines = tableOf([outcome([{ name: 'a wait', value: 2.5, unit: 'ms', atMost: 1 }])])
    expect(lines[1]).to.match(/! a wait: 2\.50 ms +<= 1 ms +FALLS SHORT$/)
  })
})
