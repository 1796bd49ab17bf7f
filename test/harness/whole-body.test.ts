import { expect } from 'chai'
import { faultOfBody } from './whole-body.ts'

function body(marks: readonly string[], n: number): Buffer {
  const rows = marks.map(mark => ({ name: 'a', n: 1, mark }))
  return Buffer.from(JSON.stringify({ rows, totals: { n }, summary: 'за год 2.' }))
}

describe('a body of the fault bench', () => {
  it('is whole where its totals count rows of the organization alone', () => {
    expect(faultOfBody(body(['mark of 1', 'mark of 1'], 2), 1)).to.equal(undefined)
  })

  it('is not where it is cut off, misses rows, or has those of another', () => {
    const whole = body(['mark of 1', 'mark of 1'], 2)
    expect(faultOfBody(whole.subarray(0, 40), 1)).to.equal('cut off after 40 bytes')
    expect(faultOfBody(body(['mark of 1'], 2), 1)).to.equal('has 1 rows of 2')
    expect(faultOfBody(body(['mark of 1', 'mark of 12'], 2), 1)).to.match(/another organization/)
  })
})
