import { expect } from 'chai'
import { createTurnQueue } from '../../src/serve/body/turn-queue.ts'

describe('turns of organizations', () => {
  it('go round, one piece of work at a time, and go on after one that fails', async () => {
    const inTurn = createTurnQueue()
    const done: string[] = []
    let atOnce = 0
    const ask = (name: string): Promise<unknown> =>
      inTurn(name.slice(0, 1), async () => {
        atOnce += 1
        expect(atOnce).to.equal(1)
        await new Promise(setImmediate)
        atOnce -= 1
        if (name === 'a2') throw new Error('broken')
        done.push(name)
      }).catch((error: Error) => error.message)
    const ends = await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map(ask))
    expect(ends[1]).to.equal('broken')
    expect(done).to.deep.equal(['a1', 'b1', 'c1', 'a3', 'b2', 'a4'])
    const thrown = inTurn('a', () => {
      throw new Error('broken before it began')
    })
    expect(await thrown.catch((error: Error) => error.message)).to.contain('before')
    await ask('a5')
    expect(done.at(-1), 'after a rest').to.equal('a5')
  })
})
