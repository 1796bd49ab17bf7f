import { expect } from 'chai'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { readiness } from '../../src/http/readiness.ts'
import type { ReplicaSeen } from '../../src/http/readiness.ts'
import type { KeyDatabaseSeen } from '../../src/gauges.ts'
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
  refusal?: string,
): ReplicaSeen => ({
  name: 'one:5432',
  state: () => state,
  stateAgeMs: () => ageMs,
  circuit: { state: () => circuit },
  refusal: () => refusal,
  writePrivileges: () => undefined,
  broken: () => (circuit === 'closed' ? undefined : 'too many connections for role "x"'),
})

const catalog = loadCatalog('sql')

const primary: KeyDatabaseSeen = {
  replica: 'primary:5432',
  isReached: true,
  refusal: undefined,
  checkFailure: undefined,
  lagSeconds: 0,
  counts: true,
}

/** Whether it is ready, and what `?verbose` says of answers and of each replica. */
function checksOf(keptCount: number, ...replicas: ReplicaSeen[]) {
  const rehearsal = { refused: 0 }
  const keys = [primary]
  const common = { catalog, replicas, keys, keptCount, invalidAccessRowCount: 0 }
  const checks = readiness({ ...common, rehearsal, draining: false })
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

  it('says what reports find where the circuit is open and the probe is answered', () => {
    expect(checksOf(7, seen(standby, 'open', 1200)).said[1]).to.deep.equal([
      'degraded',
      'no connection for reports: too many connections for role "x"',
    ])
  })

  it('has definitions planned once, and is degraded while not all of them run', () => {
    const common = {
      catalog,
      replicas: [seen(standby)],
      keys: [primary],
      keptCount: 0,
      invalidAccessRowCount: 0,
    }
    const rehearsals = ['not yet', 'put off', { refused: 0 }, { refused: 1 }] as const
    const said = rehearsals
      .map(rehearsal => readiness({ ...common, rehearsal, draining: false })[0])
      .map(check => [check?.ok, check?.degraded, check?.reason?.replace(/of \d+/, 'of all')])
    expect(said).to.deep.equal([
      [false, undefined, 'not planned on the replica yet'],
      [true, true, 'not planned on the replica yet'],
      [true, undefined, undefined],
      [true, true, '1 of all do not run on this replica'],
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

  it('falls where no role may answer and nothing is kept, and says what it lacks', () => {
    const refused = seen(standby, 'open', 100, 'alter role x')
    expect(checksOf(0, refused)).to.deep.equal({
      ready: false,
      said: [
        ['failed', 'no replica, and no kept answers'],
        ['degraded', 'refused: alter role x'],
      ],
    })
    expect(checksOf(1, refused).ready).to.equal(true)
    expect(checksOf(0, refused, seen(standby)).ready).to.equal(true)
  })

  it('stays while access rows are not valid, degraded', () => {
    const common = { catalog, replicas: [seen(standby)], keys: [primary], keptCount: 0 }
    const said = [0, 1, 2].map(invalidAccessRowCount => {
      const rows = { ...common, invalidAccessRowCount, rehearsal: { refused: 0 }, draining: false }
      return readiness(rows).find(({ name }) => name === 'access-rows')
    })
    expect(said).to.deep.equal([
      { name: 'access-rows', ok: true },
      {
        name: 'access-rows',
        ok: true,
        degraded: true,
        reason: '1 organization has a row that is not valid: see the log',
      },
      {
        name: 'access-rows',
        ok: true,
        degraded: true,
        reason: '2 organizations have a row that is not valid: see the log',
      },
    ])
  })

  describe('of keys', () => {
    const away: KeyDatabaseSeen = {
      ...primary,
      replica: 'away:5432',
      isReached: false,
      counts: false,
    }
    const behind: KeyDatabaseSeen = {
      ...primary,
      replica: 'behind:5432',
      lagSeconds: 70,
      counts: false,
    }
    const refused: KeyDatabaseSeen = { ...away, replica: 'bare:5432', refusal: 'alter role x' }

    function keysOf(...keys: KeyDatabaseSeen[]) {
      const common = {
        catalog,
        invalidAccessRowCount: 0,
        rehearsal: { refused: 0 },
        draining: false,
      }
      const checks = readiness({ ...common, replicas: [seen(standby)], keys, keptCount: 7 })
      const said = checks.filter(({ name }) => name.startsWith('keys'))
      return { ready: checks.every(({ ok }) => ok), said: said.map(({ reason }) => reason) }
    }

    it('names what is wrong with each database', () => {
      expect(
        keysOf(primary, away, behind, refused, { ...primary, counts: undefined }),
      ).to.deep.equal({
        ready: true,
        said: [
          undefined,
          'at most 0 s behind',
          'cannot be reached',
          'at most 70 s behind, which is too far',
          'refused: alter role x',
          'not asked yet',
        ],
      })
    })

    it('stays while they are away, and falls where a role is refused and no other answers', () => {
      expect(keysOf(away, behind).ready).to.equal(true)
      expect(keysOf(away, refused).ready).to.equal(false)
    })
  })
})
