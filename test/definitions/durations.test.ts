import { expect } from 'chai'
import { durationMs } from '../../src/definitions/durations.ts'

describe('durations', () => {
  it('are milliseconds in every unit', () => {
    const texts = ['500ms', '5s', '10m', '24h', '2d', '0s']
    expect(texts.map(durationMs)).to.deep.equal([500, 5000, 600_000, 86_400_000, 172_800_000, 0])
  })

  it('refuse what has no unit, a fraction or another unit', () => {
    for (const text of ['5', '1.5s', '5 s', '5w', '', '-1s']) {
      expect(() => durationMs(text), text).to.throw('is no duration')
    }
  })
})
