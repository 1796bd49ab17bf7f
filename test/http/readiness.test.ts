import { expect } from 'chai'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import type { KeyDatabaseSeen } from '../../src/gauges.ts'
import { readiness } from '../../src/http/readiness.ts'
import type { ReplicaSeen } from '../../src/http/readiness.ts'
import type { CircuitState, ReplicaState } from '../../src/observation.ts'

type Seen = Parameters<typeof readiness>[0]

const standby: ReplicaState = {
  inRecovery: true,
  usable: true,
  dataAsOf: undefined,
  lagSeconds: 0.42,
  replayPaused: false,
}

/** A replica as the probe sees it; undefined as `state` has never been reached. */
function replica(
  state: Partial<ReplicaState> | undefined,
  circuit: CircuitState = 'closed',
  ageMs = 100,
  refusal?: string,
): ReplicaSeen {
  return {
    name: 'one:5432',
    state: () => state && { ...standby, ...state },
    stateAgeMs: () => ageMs,
    circuit: { state: () => circuit },
    refusal: () => refusal,
    writePrivileges: () => undefined,
    broken: () => (circuit === 'closed' ? undefined : 'too many connections for role "x"'),
  }
}
const good = replica({})
const promoted = replica({ inRecovery: false, usable: false })
const canWrite = { ...good, writePrivileges: () => 'role x can insert' }

const keys: KeyDatabaseSeen = {
  replica: 'keys:5432',
  isReached: true,
  refusal: undefined,
  checkFailure: undefined,
  lagSeconds: 0,
  counts: true,
}
const away = { ...keys, isReached: false, counts: false }
const behind = { ...keys, lagSeconds: 70, counts: false }
const bare = { ...away, refusal: 'alter role x' }

const catalog = loadCatalog('sql')
const SERVING: Seen = {
  catalog,
  replicas: [good],
  keys: [keys],
  invalidAccessRowCount: 0,
  keptCount: 0,
  rehearsal: { refused: 0 },
  draining: false,
}
const all = catalog.reports.size + catalog.metricsFiles.size

/** What is seen, and the checks that are not simply ok. */
const CASES: ReadonlyArray<readonly [string, Partial<Seen>, readonly string[]]> = [
  ['nothing but good', {}, []],
  ['draining', { draining: true }, ['- not draining: stopping']],
  [
    'no replica yet',
    { replicas: [replica(undefined)] },
    [
      '- answers: no replica was reached since the start',
      '~ replica one:5432: not reached since the start',
    ],
  ],
  [
    'one replica of two',
    { replicas: [replica(undefined), good] },
    ['~ replica one:5432: not reached since the start'],
  ],
  [
    'a replica that does not respond, and cached responses',
    { replicas: [replica({}, 'open', 12_000)], keptCount: 7 },
    [
      '~ answers: no replica, 7 kept answers',
      '~ replica one:5432: cannot be reached, last answered 12 s ago',
    ],
  ],
  [
    'a replica that does not respond, and none',
    { replicas: [replica({}, 'open', 12_000)] },
    [
      '~ answers: no replica, and no kept answers',
      '~ replica one:5432: cannot be reached, last answered 12 s ago',
    ],
  ],
  [
    'one of two that is late',
    { replicas: [replica({}, 'closed', 12_000), good] },
    ['~ replica one:5432: last answered 12 s ago'],
  ],
  [
    'a circuit that is open while the probe is answered',
    { replicas: [replica({}, 'open', 1200), good] },
    ['~ replica one:5432: no connection for reports: too many connections for role "x"'],
  ],
  [
    'a writable server alone',
    { replicas: [promoted] },
    [
      '- answers: no replica, and no kept answers',
      '~ replica one:5432: the server is writable; ALLOW_PRIMARY=true lets it in',
    ],
  ],
  [
    'a writable server, and cached responses',
    { replicas: [promoted], keptCount: 1 },
    [
      '~ answers: no replica, 1 kept answers',
      '~ replica one:5432: the server is writable; ALLOW_PRIMARY=true lets it in',
    ],
  ],
  [
    'a role that is refused alone',
    { replicas: [replica({}, 'open', 100, 'alter role x')] },
    ['- answers: no replica, and no kept answers', '~ replica one:5432: refused: alter role x'],
  ],
  [
    'paused replay',
    { replicas: [replica({ replayPaused: true })] },
    ['~ replica one:5432: replay is paused, at most 0.5 s behind'],
  ],
  [
    'lag that is unknown',
    { replicas: [replica({ lagSeconds: undefined })] },
    ['~ replica one:5432: lag unknown'],
  ],
  [
    'a role that can write',
    { replicas: [good, canWrite] },
    ['~ read-only role: one:5432: role x can insert'],
  ],
  [
    'definitions that are not planned',
    { rehearsal: 'not yet' },
    ['- definitions: not planned on the replica yet'],
  ],
  [
    'definitions that cannot be planned now',
    { rehearsal: 'put off' },
    ['~ definitions: not planned on the replica yet'],
  ],
  [
    'one definition that does not run',
    { rehearsal: { refused: 1 } },
    [`~ definitions: 1 of ${all} do not run on this replica`],
  ],
  [
    'no definition that runs',
    { rehearsal: { refused: all } },
    [`- definitions: ${all} of ${all} do not run on this replica`],
  ],
  [
    'an access row that is not valid',
    { invalidAccessRowCount: 1 },
    ['~ access-rows: 1 organization has a row that is not valid: see the log'],
  ],
  [
    'access rows that are not valid',
    { invalidAccessRowCount: 2 },
    ['~ access-rows: 2 organizations have a row that is not valid: see the log'],
  ],
  [
    'one database of keys of several',
    { keys: [keys, away, behind, bare, { ...keys, checkFailure: 'no time zones' }] },
    [
      '~ keys keys:5432: cannot be reached',
      '~ keys keys:5432: at most 70 s behind, which is too far',
      '~ keys keys:5432: refused: alter role x',
      '~ keys keys:5432: no time zones, at most 0 s behind',
    ],
  ],
  [
    'a database of keys that is not asked yet',
    { keys: [away, { ...keys, counts: undefined }] },
    ['~ keys keys:5432: cannot be reached'],
  ],
  [
    'databases of keys that may come back',
    { keys: [away, { ...behind, lagSeconds: undefined }] },
    [
      '~ keys: no database to look them up in now',
      '~ keys keys:5432: cannot be reached',
      '~ keys keys:5432: lag unknown, which is too far',
    ],
  ],
  [
    'databases of keys of which one refuses its role',
    { keys: [away, bare] },
    [
      '- keys: no database that they may be looked up in',
      '~ keys keys:5432: cannot be reached',
      '~ keys keys:5432: refused: alter role x',
    ],
  ],
]

describe('readiness', () => {
  for (const [name, seen, expected] of CASES) {
    it(`with ${name} ${expected.some(line => line.startsWith('-')) ? 'fails' : 'holds'}`, () => {
      const found = readiness({ ...SERVING, ...seen }).filter(({ ok, degraded }) => !ok || degraded)
      const lines = found.map(({ name, ok, reason }) => `${ok ? '~' : '-'} ${name}: ${reason}`)
      expect(lines).to.deep.equal(expected)
    })
  }

  it('tells how far behind each server is, or that it is not asked yet', () => {
    const checks = readiness({ ...SERVING, keys: [keys, { ...keys, counts: undefined }] })
    const told = checks.flatMap(({ name, reason }) => (reason ? [`${name}: ${reason}`] : []))
    expect(told).to.deep.equal([
      'replica one:5432: at most 0.5 s behind',
      'keys keys:5432: at most 0 s behind',
      'keys keys:5432: not asked yet',
    ])
  })
})
