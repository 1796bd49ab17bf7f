import { expect } from 'chai'
import { createKeyCircuit } from '../../src/replica/key-circuit.ts'
import { until } from '../support/until.ts'

describe('createKeyCircuit', () => {
  let tried = 0
  let silences = 0
  let tryIt: () => Promise<void>
  const circuitOf = () => {
    tried = silences = 0
    return createKeyCircuit({
      tryIt: () => {
        tried += 1
        return tryIt()
      },
      onSilence: () => void (silences += 1),
      random: () => 0,
    })
  }
  const fails = async () => {
    throw new Error(`try ${tried}`)
  }

  it('opens at the second failure in a row, and closes once the database was reached', async () => {
    tryIt = fails
    const circuit = circuitOf()
    circuit.failed(new Error('one'), false)
    circuit.answered()
    circuit.failed(new Error('one'), false)
    expect(circuit.away()).to.equal(undefined)
    circuit.failed(new Error('two'), false)
    expect(String(circuit.away())).to.contain('two')
    await until(() => String(circuit.away()).includes('try 1'))
    tryIt = async () => {}
    await until(() => circuit.away() === undefined)
    expect(tried).to.equal(2)
    circuit.close()
  })

  it('doubts who said nothing, and tries it at once: it is there, or it is away', async () => {
    tryIt = async () => {}
    const circuit = circuitOf()
    circuit.failed(new Error('silence'), true)
    expect([circuit.isInDoubt(), circuit.away(), tried, silences]).to.deep.equal([
      true,
      undefined,
      1,
      1,
    ])
    await until(() => !circuit.isInDoubt())
    tryIt = fails
    circuit.failed(new Error('silence'), true)
    await until(() => String(circuit.away()).includes('try 2'))
    circuit.close()
  })

  it('doubts nobody any more who has answered', () => {
    tryIt = () => new Promise(() => {})
    const circuit = circuitOf()
    circuit.failed(new Error('silence'), true)
    circuit.answered()
    expect(circuit.isInDoubt()).to.equal(false)
    circuit.close()
  })
})
