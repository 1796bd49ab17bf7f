import { expect } from 'chai'
import type { CircuitState } from '../../src/observation.ts'
import { createCircuit } from '../../src/replica/circuit.ts'

const gone = new Error('Connection terminated unexpectedly')
const dropped = new Error('database "product" does not exist')

/** A circuit breaker whose trials end as it is told, by a clock of its own. */
function world() {
  let nowMs = 100_000
  const states: CircuitState[] = []
  const trials: Array<(error?: Error) => void> = []
  let lost = 0
  let opened = 0
  const circuit = createCircuit({
    tryIt: () =>
      new Promise<void>((resolve, reject) => {
        trials.push(error => (error ? reject(error) : resolve()))
      }),
    onOpen: () => void (opened += 1),
    onLost: () => void (lost += 1),
    onState: state => void states.push(state),
    isForGood: error => error === dropped,
    now: () => nowMs,
    random: () => 1,
  })
  const pass = (ms: number) => void (nowMs += ms)
  const fail = (times: number) => {
    for (let time = 0; time < times; time += 1) circuit.failed(gone)
  }
  async function trial(error?: Error): Promise<void> {
    trials.at(-1)!(error)
    await new Promise(setImmediate)
  }
  /** The seconds at which a connection is tried while something happens once a second, and none is made. */
  async function trialsWithin(seconds: number, each: () => void, error: Error): Promise<number[]> {
    const tried: number[] = []
    for (let second = 1; second <= seconds; second += 1) {
      pass(1000)
      const before = trials.length
      each()
      if (trials.length === before) continue
      tried.push(second)
      await trial(error)
    }
    return tried
  }
  const counts = () => ({ opened, lost, trials: trials.length })
  return { circuit, states, counts, pass, fail, trial, trialsWithin }
}

describe('a circuit breaker', () => {
  it('opens after three failures in a row, says so once, and tries a connection at once', () => {
    const { circuit, counts, fail, states } = world()
    fail(2)
    circuit.answered()
    fail(2)
    expect(circuit.state()).to.equal('closed')
    fail(4)
    expect(states).to.deep.equal(['open', 'half-open'])
    expect(counts()).to.deep.equal({ opened: 1, lost: 0, trials: 1 })
  })

  it('closes once a connection could be made, and needs three failures again', async () => {
    const { circuit, fail, trial } = world()
    fail(4)
    await trial()
    fail(2)
    expect(circuit.state()).to.equal('closed')
  })

  it('opens at once if responses could not be used, and tells why until it is closed again', async () => {
    const { circuit, trial } = world()
    const refusal = new Error('TimeZone')
    circuit.refused(refusal)
    expect([circuit.state(), circuit.why()]).to.deep.equal(['half-open', refusal])
    await trial(gone)
    expect([circuit.state(), circuit.why()]).to.deep.equal(['open', gone])
    circuit.probed()
    await trial()
    expect([circuit.state(), circuit.why()]).to.deep.equal(['closed', undefined])
  })

  it('gives up what is executed there once no connection can be made, not before', async () => {
    const { circuit, counts, fail, trial } = world()
    fail(3)
    expect(counts().lost).to.equal(0)
    await trial(gone)
    expect([counts().lost, circuit.state()]).to.deep.equal([1, 'open'])
  })

  it('tries at each probe that is answered, one trial at a time', async () => {
    const { circuit, counts, fail, trial } = world()
    fail(3)
    circuit.probed()
    expect(counts().trials).to.equal(1)
    await trial(gone)
    circuit.probed()
    circuit.probed()
    expect(counts().trials).to.equal(2)
    await trial()
    expect(circuit.state()).to.equal('closed')
  })

  it('opens at the first refusal for good, and tries less and less often if only the probe is let in', async () => {
    const { circuit, counts, trialsWithin } = world()
    circuit.failed(dropped)
    expect(circuit.state()).to.equal('open')
    expect(counts()).to.deep.equal({ opened: 1, lost: 1, trials: 0 })
    expect(await trialsWithin(20, () => circuit.probed(), dropped)).to.deep.equal([2, 6, 11, 16])
  })

  it('tries less and less often while the probe is not answered, and never more than 30 s apart', async () => {
    const { circuit, fail, trial, trialsWithin } = world()
    fail(3)
    await trial(gone)
    const tried = await trialsWithin(130, () => circuit.unprobed(gone), gone)
    expect(tried).to.deep.equal([2, 6, 14, 30, 60, 90, 120])
  })

  it('opens if the probe is not answered, and nothing else was for half a second', async () => {
    const { circuit, pass, trial } = world()
    circuit.probed()
    pass(2000)
    circuit.answered()
    pass(499)
    circuit.unprobed(gone)
    expect(circuit.state()).to.equal('closed')
    pass(1)
    circuit.unprobed(gone)
    expect(circuit.state()).to.equal('half-open')
    await trial()
    pass(5000)
    circuit.unprobed(gone)
    expect(circuit.state(), 'a probe that has not been answered since').to.equal('closed')
  })

  it('tries a connection while the probe is late: without one it opens and gives up at once', async () => {
    for (const [isMade, state, lost] of [
      [true, 'closed', 0],
      [false, 'half-open', 1],
    ] as const) {
      const { circuit, pass, trial, counts } = world()
      circuit.probed()
      pass(500)
      circuit.late()
      circuit.late()
      expect([circuit.state(), counts().trials]).to.deep.equal(['closed', 1])
      if (isMade) await trial()
      pass(300)
      circuit.unprobed(gone)
      expect([circuit.state(), counts().lost]).to.deep.equal([state, lost])
    }
  })

  it('is quiet if nothing was answered for 0.3 s', () => {
    const { circuit, pass } = world()
    circuit.answered()
    pass(300)
    expect(circuit.isQuiet()).to.equal(false)
    pass(1)
    expect(circuit.isQuiet()).to.equal(true)
  })

  it('gives one connection slot after an outage, and another every half second', async () => {
    const { circuit, fail, trial, pass } = world()
    expect(circuit.places(8)).to.equal(8)
    fail(3)
    await trial()
    const slots = [0, 400, 100, 500, 1000, 60_000].map(ms => {
      pass(ms)
      return circuit.places(8)
    })
    expect(slots).to.deep.equal([1, 1, 2, 3, 5, 8])
  })
})
