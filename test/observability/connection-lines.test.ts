import { expect } from 'chai'
import { CLOSE_REASONS } from '../../src/observation.ts'
import { capture } from './capture.ts'

describe('the lines on connections that are closed', () => {
  it('come once in 30 s for each reason, with the number left out', () => {
    const log = capture()
    for (let second = 0; second < 31; second += 1) {
      for (const reason of CLOSE_REASONS) log.observe({ kind: 'connection-closed', reason })
      log.pass(1)
    }
    expect(log.lines().map(({ level, reason, omitted }) => [level, reason, omitted])).to.deep.equal(
      [
        ...CLOSE_REASONS.map(reason => ['warn', reason, undefined]),
        ...CLOSE_REASONS.map(reason => ['warn', reason, 29]),
      ],
    )
    log.observe({ kind: 'connection-closed', reason: 'limit' })
    log.close()
    expect(log.lines().at(-1)).to.include({
      reason: 'limit',
      omitted: 1,
      msg: '1 more connections were closed',
    })
  })
})
