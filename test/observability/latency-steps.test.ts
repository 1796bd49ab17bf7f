import { expect } from 'chai'
import * as fc from 'fast-check'
import { LATENCY_STEPS, latencyStep, upperMsOf } from '../../src/observability/latency-steps.ts'

const durations = fc.oneof(
  fc.double({ min: 0, max: 100, noNaN: true }),
  fc.double({ min: 0, noNaN: true }),
)

describe('latencyStep', () => {
  it('is the first step that ends at the latency or later', () => {
    fc.assert(
      fc.property(durations, durationMs => {
        const step = latencyStep(durationMs)
        if (step < LATENCY_STEPS - 1) expect(upperMsOf(step)).to.be.at.least(durationMs)
        if (step > 0) expect(upperMsOf(step - 1)).to.be.below(durationMs)
      }),
      { numRuns: 2000 },
    )
  })

  it('ends each step with its own upper bound', () => {
    for (let step = 0; step < LATENCY_STEPS; step += 1) {
      expect(latencyStep(upperMsOf(step))).to.equal(step)
    }
  })

  it('is the logarithm to the base of 1.1, in tenths of a millisecond', () => {
    for (const durationMs of [0.05, 0.35, 1, 2, 7.77, 50, 51.2, 999, 30_000, 700_000]) {
      const exact = Math.ceil(Math.log(durationMs / 0.1) / Math.log(1.1))
      expect(latencyStep(durationMs), `${durationMs} ms`).to.equal(Math.max(0, exact))
    }
  })

  it('is the first for no duration, the last for one without end', () => {
    expect([0, -1, -1e12, Number.NaN].map(latencyStep)).to.deep.equal([0, 0, 0, 0])
    const last = LATENCY_STEPS - 1
    expect([1e6, 2 ** 32 / 20, 1e300, Infinity].map(latencyStep)).to.deep.equal(Array(4).fill(last))
  })
})
