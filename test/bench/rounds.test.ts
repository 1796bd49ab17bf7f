import { expect } from 'chai'
import { createClosers } from './closers.ts'
import { interleaved, roundsOf } from './rounds.ts'

describe('interleaved rounds', () => {
  it('go forward and backward in turn after a warm-up, which is not counted', async () => {
    const order: string[] = []
    const contender = (name: string) => ({
      name,
      measure: () => Promise.resolve(order.push(name)),
    })
    const measured = await interleaved([contender('a'), contender('b')], { rounds: 3 })
    // why: the warm-up, then forward, backward, forward
    expect(order.join('')).to.equal('ababbaab')
    expect(roundsOf(measured, 'a')).to.deep.equal([3, 6, 7])
    expect(roundsOf(measured, 'b')).to.deep.equal([4, 5, 8])
    expect(() => roundsOf(measured, 'c')).to.throw('no contender is named c')
  })

  it('end with what the signal was aborted with', async () => {
    const stop = new AbortController()
    const contender = { name: 'a', measure: () => Promise.resolve(stop.abort(new Error('stop'))) }
    const error = await interleaved([contender], { rounds: 3, signal: stop.signal }).catch(
      (error: unknown) => error,
    )
    expect(error).to.have.property('message', 'stop')
  })
})

describe('closers', () => {
  it('close in reverse order, each once, whatever another does', async () => {
    const closed: number[] = []
    const closers = createClosers()
    closers.onEnd(() => void closed.push(1))
    closers.onEnd(() => Promise.reject(new Error('stuck')))
    closers.onEnd(async () => void closed.push(3))
    expect(await closers.closeAll()).to.have.property('length', 1)
    expect(await closers.closeAll()).to.deep.equal([])
    expect(closed).to.deep.equal([3, 1])
  })
})
