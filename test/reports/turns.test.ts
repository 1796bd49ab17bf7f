import { expect } from 'chai'
import { createTurns } from '../../src/reports/turns.ts'

const turn = () => new Promise(resolve => setImmediate(resolve))

describe('turns of organizations', () => {
  function world() {
    const inTurn = createTurns()
    const done: string[] = []
    let atOnce = 0
    const ask = (organizationId: string, name: string): Promise<string> =>
      inTurn(organizationId, async () => {
        atOnce += 1
        expect(atOnce).to.equal(1)
        await turn()
        atOnce -= 1
        if (name === 'broken') throw new Error('broken')
        done.push(organizationId + name)
        return name
      })
    return { ask, done }
  }

  it('give each a piece of work, however many one of them has, and one at a time', async () => {
    const { ask, done } = world()
    const many = ['1', '2', '3', '4'].map(name => ask('a', name))
    const others = [ask('b', '1'), ask('c', '1'), ask('b', '2')]
    await Promise.all([...many, ...others])
    expect(done).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('go on after a piece that fails, and after a rest', async () => {
    const { ask, done } = world()
    const failed = ask('a', 'broken').catch((error: Error) => error.message)
    await ask('a', '2')
    expect(await failed).to.equal('broken')
    expect(await ask('a', '3')).to.equal('3')
    expect(done).to.deep.equal(['a2', 'a3'])
  })

  it('go on after a piece that throws before it has begun', async () => {
    const inTurn = createTurns()
    const thrown = inTurn('a', () => {
      throw new Error('broken')
    }).catch((error: Error) => error.message)
    expect([await thrown, await inTurn('a', async () => 'done')]).to.deep.equal(['broken', 'done'])
  })
})
