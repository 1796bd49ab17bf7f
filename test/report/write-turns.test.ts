import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { createStop } from '../../src/model/stop.ts'
import { createWriteTurns } from '../../src/serve/report/write-turns.ts'

describe('Turns of loads that write files', () => {
  it('are not taken by what still waits for a load that has ended', async () => {
    const turns = createWriteTurns()
    const writing = [turns.unreserved(), turns.unreserved()]
    for (const turn of writing) await turn.begin(createStop())
    const outcomes: string[] = []
    for (const failed of [turns.unreserved(), turns.unreserved()]) {
      failed.begin(createStop()).catch((error: unknown) => outcomes.push(String(error)))
      failed.end()
    }
    for (const turn of writing) turn.end()
    await nextTurn()
    expect(outcomes).to.deep.equal(Array(2).fill('Error: the load has ended'))
    await Promise.all([turns.unreserved(), turns.unreserved()].map(one => one.begin(createStop())))
  })
})
