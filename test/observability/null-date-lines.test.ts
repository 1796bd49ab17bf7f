import { expect } from 'chai'
import { capture } from './capture.ts'

describe('the lines on dates that cannot be shown', () => {
  it('name the definition and the column, once in 30 s for each', () => {
    const log = capture()
    const fact = {
      kind: 'dates-nulled',
      definition: 'deals',
      column: 'day',
      valueCount: 2,
    } as const
    for (let time = 0; time < 1000; time += 1) log.observe(fact)
    log.observe({ ...fact, column: 'at' })
    expect(log.messages()).to.deep.equal([
      'the column day of deals has dates outside the years 0001-9999, which are sent as null',
      'the column at of deals has dates outside the years 0001-9999, which are sent as null',
    ])
    expect(log.lines()[0]).to.include({
      level: 'warn',
      definition: 'deals',
      column: 'day',
      valueCount: 2,
    })
    log.pass(31)
    log.observe(fact)
    expect(log.lines()[2]).to.include({ column: 'day', omitted: 999 })
    log.observe(fact)
    log.flush()
    expect(log.lines()[3]).to.include({ definition: 'deals', column: 'day', omitted: 1 })
  })
})
