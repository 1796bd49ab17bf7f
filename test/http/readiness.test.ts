import { expect } from 'chai'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { readiness } from '../../src/http/readiness.ts'
import type { ReplicaSeen } from '../../src/http/readiness.ts'
import type { CircuitState, ReplicaState } from '../../src/observation.ts'

const standby: ReplicaState = {
  inRecovery: true,
  usable: true,
  dataAsOf: undefined,
  lagSeconds: 0.42,
  replayPaused: false,
}
const promoted: ReplicaState = { ...standby, inRecovery: false, usable: false }

const seen = (
  state: ReplicaState | undefined,
  circuit: CircuitState = 'closed',
  ageMs = 100,
): ReplicaSeen => ({
  name: 'one:5432',
  state: () => state,
  stateAgeMs: () => ageMs,
  circuit: { state: () => circuit },
})

const catalog = loadCatalog('sql')

/** Whether it is ready, and what `?verbose` says of answers and of each replica. */
function checksOf(keptCount: number, ...replicas: ReplicaSeen[]) {
  const rehearsal = { refused: 0 }
  const checks = readiness({ catalog, replicas, keptCount, rehearsal, draining: false })
  const said = checks
    .filter(({ name }) => name.startsWith('replica') || name === 'answers')
    .map(({ ok, degraded, reason }) => [!ok ? 'failed' : degraded ? 'degraded' : 'ok', reason])
  return { ready: checks.every(({ ok }) => ok), said }
}

describe('readiness', () => {
  it('holds with a replica in recovery, and tells its lag', () => {
    expect(checksOf(0, seen(standby))).to.deep.equal({
      ready: true,
      said: [
        ['ok', undefined],
        ['ok', 'at most 0.5 s behind'],
      ],
    })
  })

  it('waits for the first replica', () => {
    const { ready, said } = checksOf(0, seen(undefined))
    expect(ready).to.equal(false)
    expect(said[0]).to.deep.equal(['failed', 'no replica was reached since the start'])
    expect(checksOf(0, seen(undefined), seen(standby)).ready).to.equal(true)
  })

  it('stays when replicas go away, and says what is degraded', () => {
    expect(checksOf(7, seen(standby, 'open', 12_000))).to.deep.equal({
      ready: true,
      said: [
        ['degraded', 'no replica, 7 kept answers'],
        ['degraded', 'cannot be reached, last answered 12 s ago'],
      ],
    })
    const one = checksOf(0, seen(standby, 'closed', 12_000), seen(standby))
    expect([one.ready, one.said[0], one.said[1]?.[0]]).to.deep.equal([
      true,
      ['ok', undefined],
      'degraded',
    ])
  })

  it('falls where all servers are writable and nothing is kept', () => {
    expect(checksOf(0, seen(promoted)).ready).to.equal(false)
    expect(checksOf(1, seen(promoted)).ready).to.equal(true)
    expect(checksOf(0, seen(promoted), seen(standby)).ready).to.equal(true)
  })

  it('tells of paused replay and of lag that is unknown', () => {
    const reasons = [
      { ...standby, replayPaused: true },
      { ...standby, lagSeconds: undefined },
    ].map(state => checksOf(0, seen(state)).said[1])
    expect(reasons).to.deep.equal([
      ['degraded', 'replay is paused, at most 0.5 s behind'],
      ['degraded', 'lag unknown'],
    ])
  })
})
