import { expect } from 'chai'
import type { CircuitState } from '../../src/observation.ts'
import { createCircuit } from '../../src/replica/circuit.ts'

const gone = new Error('Connection terminated unexpectedly')

const dropped = new Error('database "product" does not exist')

/** A circuit whose trials end as it is told, by a clock of its own. */
function world() {
  let nowMs = 100_000
  const states: CircuitState[] = []
  const trials: Array<{ resolve: () => void; reject: (error: unknown) => void }> = []
  let opened = 0
  let lost = 0
  const circuit = createCircuit({
    tryIt: () => new Promise((resolve, reject) => trials.push({ resolve, reject })),
    onOpen: () => void (opened += 1),
    onLost: () => void (lost += 1),
    onState: state => void states.push(state),
    isForGood: error => error === dropped,
    now: () => nowMs,
    random: () => 1,
  })
  return {
    circuit,
    states,
    opened: () => opened,
    lost: () => lost,
    trialCount: () => trials.length,
    pass: (ms: number) => void (nowMs += ms),
    trial: async (error?: unknown): Promise<void> => {
      const last = trials.at(-1)!
      if (error === undefined) last.resolve()
      else last.reject(error)
      await new Promise(resolve => setImmediate(resolve))
    },
    open: (): void => {
      for (let failure = 0; failure < 3; failure += 1) circuit.failed(gone)
    },
  }
}

describe('a circuit', () => {
  it('opens after three failures in a row, says so once, and tries at once', () => {
    const { circuit, opened, trialCount, states } = world()
    circuit.failed(gone)
    circuit.failed(gone)
    expect(circuit.state()).to.equal('closed')
    for (let failure = 0; failure < 5; failure += 1) circuit.failed(gone)
    expect(circuit.state()).to.equal('half-open')
    expect([opened(), trialCount(), states]).to.deep.equal([1, 1, ['open', 'half-open']])
  })

  it('opens at once where answers could not be used, and tells why until it is closed again', async () => {
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

  it('counts anew from every answer', () => {
    const { circuit } = world()
    for (let run = 0; run < 9; run += 1) {
      circuit.failed(gone)
      circuit.failed(gone)
      circuit.answered()
    }
    expect(circuit.state()).to.equal('closed')
  })

  it('closes once a connection could be made, and needs three failures again', async () => {
    const { circuit, open, trial } = world()
    open()
    circuit.failed(gone)
    await trial()
    expect(circuit.state()).to.equal('closed')
    circuit.failed(gone)
    circuit.failed(gone)
    expect(circuit.state()).to.equal('closed')
  })

  it('opens at the first refusal for good, and knocks less and less often where only the probe is let in', async () => {
    const { circuit, trial, trialCount, lost, pass } = world()
    circuit.failed(dropped)
    expect([circuit.state(), trialCount(), lost()]).to.deep.equal(['open', 0, 1])
    const knocks: number[] = []
    for (let second = 1; second <= 20; second += 1) {
      pass(1000)
      circuit.probed()
      if (circuit.state() !== 'half-open') continue
      knocks.push(second)
      await trial(dropped)
    }
    expect(knocks).to.deep.equal([2, 6, 11, 16])
  })

  it('gives up what runs there once no connection can be made, not before', async () => {
    const { circuit, open, trial, lost } = world()
    open()
    expect(lost()).to.equal(0)
    await trial(gone)
    expect([lost(), circuit.state()]).to.deep.equal([1, 'open'])
  })

  it('tries a connection while the probe is late, and stays closed if there is one', async () => {
    const { circuit, pass, trial, trialCount } = world()
    circuit.probed()
    pass(500)
    circuit.late()
    circuit.late()
    expect([circuit.state(), trialCount()]).to.deep.equal(['closed', 1])
    await trial()
    pass(300)
    circuit.unprobed(gone)
    expect(circuit.state()).to.equal('closed')
  })

  it('gives up what runs there at once, if none was to be had while the probe was late', () => {
    const { circuit, pass, lost } = world()
    circuit.probed()
    pass(500)
    circuit.late()
    pass(300)
    circuit.unprobed(gone)
    expect([circuit.state(), lost()]).to.deep.equal(['half-open', 1])
  })

  it('is quiet when nothing was answered for 0.3 s', () => {
    const { circuit, pass } = world()
    circuit.answered()
    pass(300)
    expect(circuit.isQuiet()).to.equal(false)
    pass(1)
    expect(circuit.isQuiet()).to.equal(true)
  })

  it('tries at each probe that is answered, one trial at a time', async () => {
    const { circuit, open, trial, trialCount } = world()
    open()
    circuit.probed()
    expect(trialCount()).to.equal(1)
    await trial(gone)
    expect(circuit.state()).to.equal('open')
    circuit.probed()
    circuit.probed()
    expect(trialCount()).to.equal(2)
    await trial()
    expect(circuit.state()).to.equal('closed')
  })

  it('tries ever more seldom while the probe finds nobody, and never more than 30 s apart', async () => {
    const { circuit, open, trial, trialCount, pass } = world()
    open()
    await trial(gone)
    const seconds: number[] = []
    for (let second = 1; second <= 130; second += 1) {
      pass(1000)
      circuit.unprobed(gone)
      if (trialCount() === seconds.length + 1) continue
      seconds.push(second)
      await trial(gone)
    }
    expect(seconds).to.deep.equal([2, 6, 14, 30, 60, 90, 120])
  })

  it('opens when the probe finds nobody, where nothing else was answered meanwhile', async () => {
    const { circuit, pass, trial } = world()
    circuit.probed()
    pass(2000)
    circuit.answered()
    pass(400)
    circuit.unprobed(gone)
    expect(circuit.state()).to.equal('closed')
    pass(100)
    circuit.unprobed(gone)
    expect(circuit.state()).to.equal('half-open')
    await trial()
    pass(5000)
    circuit.unprobed(gone)
    expect(circuit.state(), 'a probe that has not been answered since').to.equal('closed')
  })

  it('gives one place after an outage, and another every half second', async () => {
    const { circuit, open, trial, pass } = world()
    expect(circuit.places(8)).to.equal(8)
    open()
    await trial()
    const places = [0, 400, 100, 500, 1000, 60_000].map(ms => {
      pass(ms)
      return circuit.places(8)
    })
    expect(places).to.deep.equal([1, 1, 2, 3, 5, 8])
  })
})
