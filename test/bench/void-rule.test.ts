import { expect } from 'chai'
import { ratioRow } from './ratio-row.ts'
import { busyReason, voidReason } from './void-rule.ts'

describe('the void rule', () => {
  it('a baseline may waver up to 1.4', () => {
    expect(voidReason({ name: 'bare Koa', rounds: [100, 140] })).to.equal(undefined)
    expect(voidReason({ name: 'bare Koa', rounds: [100, 141] })).to.equal(
      'bare Koa wavers: its rounds are 1.41x apart',
    )
  })

  it('a server that is to be saturated has 95 % of its core', () => {
    const baseline = { name: 'bare Koa', rounds: [100, 100, 100] }
    expect(voidReason({ ...baseline, cpuShares: [0.5, 0.95, 0.99] })).to.equal(undefined)
    expect(voidReason({ ...baseline, cpuShares: [0.9, 0.94, 0.99] })).to.equal(
      'bare Koa had 94 % of its core',
    )
  })

  it('rounds that waver by nature are judged by others', () => {
    const baseline = { name: 'bare Koa', rounds: [4, 9], judged: [100, 110] }
    expect(voidReason(baseline)).to.equal(undefined)
  })

  it('seconds on a machine that was busy before are void', () => {
    expect(busyReason(0.5)).to.equal(undefined)
    expect(busyReason(1.84)).to.equal('others kept 1.8 cores busy before the run')
  })

  it('makes a row void, which keeps its value', () => {
    const row = ratioRow({
      name: 'hit',
      rounds: [80, 80],
      baseline: { name: 'bare Koa', rounds: [100, 200] },
      target: { atLeast: 0.8 },
    })
    expect(row.void).to.equal('bare Koa wavers: its rounds are 2.00x apart')
    expect(row.value).to.be.closeTo(0.533, 0.001)
  })
})
