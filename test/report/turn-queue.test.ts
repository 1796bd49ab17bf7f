import { expect } from 'chai'
import { createTurnQueue } from '../../src/serve/report/turn-queue.ts'

describe('createTurnQueue', () => {
  it('does one task at a time, round-robin over organizations, and continues after a failure', async () => {
    const enqueue = createTurnQueue()
    const done: string[] = []
    let activeCount = 0
    const enqueueTask = (name: string): Promise<unknown> =>
      enqueue(name.slice(0, 1), async () => {
        activeCount += 1
        expect(activeCount).to.equal(1)
        await new Promise(setImmediate)
        activeCount -= 1
        if (name === 'a2') throw new Error('broken')
        done.push(name)
      }).catch((error: Error) => error.message)
    const outcomes = await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map(enqueueTask))
    expect(outcomes[1]).to.equal('broken')
    expect(done).to.deep.equal(['a1', 'b1', 'c1', 'a3', 'b2', 'a4'])
    const thrown = enqueue('a', () => {
      throw new Error('broken before it began')
    })
    expect(await thrown.catch((error: Error) => error.message)).to.contain('before')
    await enqueueTask('a5')
    expect(done.at(-1), 'after the queue was empty').to.equal('a5')
  })
})
