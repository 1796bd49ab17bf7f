import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { createStop } from '../../src/model/stop.ts'
import { createWriteTurns } from '../../src/serve/report/write-turns.ts'

describe('Turns of loads that write files', () => {
  it('are not taken by what still waits for a load that has ended', async () => {
    const createTurn = createWriteTurns()
    const writing = [createTurn(), createTurn()]
    for (const turn of writing) await turn.begin(createStop())
    const outcomes: string[] = []
    const waiting = [createTurn(), createTurn()].map(turn => ({ turn, stop: createStop() }))
    for (const { turn, stop } of waiting)
      turn.begin(stop).catch((error: unknown) => outcomes.push(String(error)))
    await nextTurn()
    for (const turn of writing) turn.end()
    for (const { turn, stop } of waiting) {
      stop.stop('the load has ended')
      turn.end()
    }
    await nextTurn()
    expect(outcomes).to.deep.equal(Array(2).fill('the load has ended'))
    await Promise.all([createTurn(), createTurn()].map(one => one.begin(createStop())))
  })
})
