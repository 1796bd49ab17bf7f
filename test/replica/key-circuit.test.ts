import { expect } from 'chai'
import { createKeyCircuit } from '../../src/replica/key-circuit.ts'
import { until } from '../support/until.ts'

describe('createKeyCircuit', () => {
  it('opens at the second failure in a row, and closes once the database was reached', async () => {
    let reachable = false
    let tried = 0
    const circuit = createKeyCircuit({
      tryIt: async () => {
        tried += 1
        if (!reachable) throw new Error(`try ${tried}`)
      },
      random: () => 0,
    })
    circuit.failed(new Error('one'))
    circuit.answered()
    circuit.failed(new Error('one'))
    expect(circuit.away()).to.equal(undefined)
    circuit.failed(new Error('two'))
    expect(String(circuit.away())).to.contain('two')
    await until(() => String(circuit.away()).includes('try 1'))
    reachable = true
    await until(() => circuit.away() === undefined)
    expect(tried).to.equal(2)
    circuit.close()
  })
})
