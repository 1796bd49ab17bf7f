import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { createStop } from '../../src/model/stop.ts'
import { createTurns } from '../../src/serve/report/turns.ts'

describe('Turns', () => {
  it('are taken in order, and not by what was stopped while it waited', async () => {
    const turns = createTurns(1)
    await turns.begin()
    const outcomes: string[] = []
    const begin = (name: string) => {
      const stop = createStop()
      turns.begin(stop).then(
        () => outcomes.push(`${name} began`),
        (reason: unknown) => outcomes.push(`${name}: ${String(reason)}`),
      )
      return stop
    }
    const [first] = [begin('first'), begin('second'), begin('third')]
    first.stop('no client')
    await nextTurn()
    turns.end()
    await nextTurn()
    expect(outcomes).to.deep.equal(['first: no client', 'second began'])
    turns.end()
    await nextTurn()
    expect(outcomes.at(-1)).to.equal('third began')
    turns.end()
    await turns.begin(createStop())
  })

  it('are not returned by what was stopped before it asked', async () => {
    const turns = createTurns(1)
    const stop = createStop()
    stop.stop('no client')
    expect(await turns.begin(stop).catch(String)).to.equal('no client')
    await turns.begin()
    let hasBegun = false
    void turns.begin().then(() => (hasBegun = true))
    await nextTurn()
    expect(hasBegun).to.equal(false)
  })
})
