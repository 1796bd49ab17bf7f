import { expect } from 'chai'
import { createCircuitBreaker } from '../../src/serve/replica/circuit-breaker.ts'
import { casesOf } from './table.ts'

const gone = new Error('Connection terminated unexpectedly')
const dropped = new Error('database "product" does not exist')
const wrong = new Error('TimeZone')

/**
 * Events in order, and their result: state, number of openings, of aborted executions and of tried connections. A
 * number is a time in ms that passes; a trial ends as `made` or `gone`.
 */
const CASES = `
  stays closed while failures are not consecutive          | fail fail answered fail fail              | closed    | 0 0 0
  opens after three, and tries a connection at once        | fail fail fail                            | half-open | 1 0 1
  opens once for any number of failures                    | fail fail fail fail fail                  | half-open | 1 0 1
  closes with a connection, and needs three failures again | fail fail fail fail made fail fail        | closed    | 1 0 1
  aborts executions once no connection can be made         | fail fail fail gone                       | open      | 1 1 1
  tries one connection at a time                           | fail fail fail probed probed              | half-open | 1 0 1
  tries again when a probe succeeds                        | fail fail fail gone probed probed         | half-open | 1 1 2
  closes when a probe succeeds and a connection is made    | fail fail fail gone probed made           | closed    | 1 1 2
  opens at once if responses could not be used             | wrong                                     | half-open | 1 0 1
  opens and aborts at once after a permanent error         | dropped                                   | open      | 1 1 0
  stays closed while the silence is short                  | probed 2000 answered 499 unprobed         | closed    | 0 0 0
  opens after half a second of silence, probe included     | probed 2000 answered 500 unprobed         | half-open | 1 0 1
  ignores failed probes until one has succeeded again      | probed 500 unprobed made 5000 unprobed    | closed    | 1 0 1
  tries one connection while a probe is late               | probed 500 late late                      | closed    | 0 0 1
  stays closed if that connection is made                  | probed 500 late late made 300 unprobed    | closed    | 0 0 1
  opens and aborts at once if none is made                 | probed 500 late late 300 unprobed         | half-open | 1 1 2
  counts a connection that fails while a probe is late     | late gone fail fail                       | half-open | 1 0 2
  stays closed if a response arrives after it              | late gone answered fail fail              | closed    | 0 0 1
`

function world() {
  let nowMs = 100_000
  const trials: Array<(error?: Error) => void> = []
  const counts = { opened: 0, lost: 0 }
  const circuit = createCircuitBreaker({
    failuresToOpen: 3,
    tryConnection: () =>
      new Promise<void>((resolve, reject) => {
        trials.push(error => (error ? reject(error) : resolve()))
      }),
    onOpen: () => void (counts.opened += 1),
    onLost: () => void (counts.lost += 1),
    onState: () => undefined,
    isPermanent: error => error === dropped,
    now: () => nowMs,
    random: () => 1,
  })
  const events: Readonly<Record<string, () => void>> = {
    fail: () => circuit.failed(gone),
    dropped: () => circuit.failed(dropped),
    wrong: () => circuit.refused(wrong),
    answered: () => circuit.responded(),
    probed: () => circuit.probeSucceeded(),
    unprobed: () => circuit.probeFailed(gone),
    late: () => circuit.doubt(),
    made: () => trials.at(-1)!(),
    gone: () => trials.at(-1)!(gone),
    refused: () => trials.at(-1)!(dropped),
  }
  async function happen(script: string): Promise<void> {
    for (const event of script.split(' ')) {
      if (/^\d/.test(event)) nowMs += Number(event)
      else events[event]!()
      if (['made', 'gone', 'refused'].includes(event)) await new Promise(setImmediate)
    }
  }
  /** Seconds at which a connection is tried, with an event every second, if none can be made. */
  async function triedWithin(seconds: number, event: string, end: string): Promise<number[]> {
    const tried: number[] = []
    for (let second = 1; second <= seconds; second += 1) {
      const before = trials.length
      await happen(`1000 ${event}`)
      if (trials.length === before) continue
      tried.push(second)
      await happen(end)
    }
    return tried
  }
  return { circuit, counts: () => [counts.opened, counts.lost, trials.length], happen, triedWithin }
}

describe('a circuit breaker', () => {
  for (const [title = '', script = '', state, counts] of casesOf(CASES)) {
    it(title, async () => {
      const { circuit, happen, counts: found } = world()
      await happen(script)
      expect([circuit.state(), found().join(' ')]).to.deep.equal([state, counts])
    })
  }

  it('has the reason until it is closed again', async () => {
    const { circuit, happen } = world()
    for (const [event, why] of [
      ['wrong', wrong],
      ['gone', gone],
      ['probed made', undefined],
    ] as const) {
      await happen(event)
      expect(circuit.reason(), event).to.equal(why)
    }
  })

  it('tries at increasing intervals while only the probe connects, and while the probe fails', async () => {
    const refused = world()
    await refused.happen('dropped')
    expect(await refused.triedWithin(20, 'probed', 'refused')).to.deep.equal([2, 6, 11, 16])
    const silent = world()
    await silent.happen('fail fail fail gone')
    const tried = await silent.triedWithin(130, 'unprobed', 'gone')
    expect(tried).to.deep.equal([2, 6, 14, 30, 60, 90, 120])
  })

  it('is quiet if no response arrived for 0.3 s', async () => {
    const { circuit, happen } = world()
    await happen('answered 300')
    expect(circuit.isQuiet()).to.equal(false)
    await happen('1')
    expect(circuit.isQuiet()).to.equal(true)
  })

  it('has the time since it closed after the last outage', async () => {
    const { circuit, happen } = world()
    expect(circuit.closedMs()).to.equal(Infinity)
    await happen('fail fail fail')
    expect(circuit.closedMs()).to.equal(undefined)
    await happen('made 400')
    expect(circuit.closedMs()).to.equal(400)
  })
})
