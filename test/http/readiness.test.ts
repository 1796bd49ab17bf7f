import { expect } from 'chai'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import type { KeyDatabaseSeen } from '../../src/model/gauges.ts'
import { readiness } from '../../src/serve/http/readiness.ts'
import type { ReplicaSeen } from '../../src/serve/http/readiness.ts'
import type { CircuitState, ReplicaState } from '../../src/model/observation.ts'

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

/** The checks that are not simply ok, as "~" for degraded and "-" for failed. */
function linesOf(seen: Partial<Seen>): string[] {
  return readiness({ ...SERVING, ...seen })
    .filter(({ ok, degraded }) => !ok || degraded)
    .map(({ name, ok, reason }) => `${ok ? '~' : '-'} ${name}: ${reason}`)
}

const unreached = replica(undefined)
const open = replica({}, 'open', 12_000)
const refused = replica({}, 'open', 100, 'alter role x')
const connections = 'no connection for reports: too many connections for role "x"'

const REPLICAS: ReadonlyArray<readonly [seen: ReplicaSeen, reason: string]> = [
  [unreached, 'not reached since the start'],
  [open, 'cannot be reached, last answered 12 s ago'],
  [replica({}, 'closed', 12_000), 'last answered 12 s ago'],
  [replica({}, 'open', 1200), connections],
  [promoted, 'the server is writable; ALLOW_PRIMARY=true lets it in'],
  [refused, 'refused: alter role x'],
  [replica({ replayPaused: true }), 'replay is paused, at most 0.5 s behind'],
  [replica({ lagSeconds: undefined }), 'lag unknown'],
]

const NONE = 'no replica, and no kept answers'
const ANSWERS: ReadonlyArray<readonly [seen: ReplicaSeen, keptCount: number, line: string]> = [
  [unreached, 0, '- answers: no replica was reached since the start'],
  [unreached, 7, '- answers: no replica was reached since the start'],
  [open, 0, `~ answers: ${NONE}`],
  [open, 7, '~ answers: no replica, 7 kept answers'],
  [promoted, 0, `- answers: ${NONE}`],
  [promoted, 1, '~ answers: no replica, 1 kept answers'],
  [refused, 0, `- answers: ${NONE}`],
  [refused, 1, '~ answers: no replica, 1 kept answers'],
]

const unasked = { ...keys, counts: undefined }
const unchecked = { ...keys, checkFailure: 'no time zones' }
const unknown = { ...behind, lagSeconds: undefined }
const rows = (found: string): string =>
  `~ access-rows: ${found} a row that is not valid: see the log`

const OTHERS: ReadonlyArray<readonly [seen: Partial<Seen>, ...lines: string[]]> = [
  [{}],
  [{ draining: true }, '- not draining: stopping'],
  [{ replicas: [good, canWrite] }, '~ read-only role: one:5432: role x can insert'],
  [{ rehearsal: 'not yet' }, '- definitions: not planned on the replica yet'],
  [{ rehearsal: 'put off' }, '~ definitions: not planned on the replica yet'],
  [{ rehearsal: { refused: 1 } }, `~ definitions: 1 of ${all} do not run on this replica`],
  [{ rehearsal: { refused: all } }, `- definitions: ${all} of ${all} do not run on this replica`],
  [{ invalidAccessRowCount: 1 }, rows('1 organization has')],
  [{ invalidAccessRowCount: 2 }, rows('2 organizations have')],
  [{ keys: [keys, away] }, '~ keys keys:5432: cannot be reached'],
  [{ keys: [unasked, away] }, '~ keys keys:5432: cannot be reached'],
  [{ keys: [keys, behind] }, '~ keys keys:5432: at most 70 s behind, which is too far'],
  [{ keys: [keys, bare] }, '~ keys keys:5432: refused: alter role x'],
  [{ keys: [keys, unchecked] }, '~ keys keys:5432: no time zones, at most 0 s behind'],
  [
    { keys: [away, unknown] },
    '~ keys: no database to look them up in now',
    '~ keys keys:5432: cannot be reached',
    '~ keys keys:5432: lag unknown, which is too far',
  ],
  [
    { keys: [away, bare] },
    '- keys: no database that they may be looked up in',
    '~ keys keys:5432: cannot be reached',
    '~ keys keys:5432: refused: alter role x',
  ],
]

describe('readiness', () => {
  for (const [seen, reason] of REPLICAS) {
    it(`holds beside a good replica with one of which it says "${reason}"`, () => {
      expect(linesOf({ replicas: [seen, good] })).to.deep.equal([`~ replica one:5432: ${reason}`])
    })
  }

  for (const [seen, keptCount, line] of ANSWERS) {
    it(`says "${line}" with ${keptCount} cached responses and one such replica`, () => {
      expect(linesOf({ replicas: [seen], keptCount })[0]).to.equal(line)
    })
  }

  for (const [seen, ...lines] of OTHERS) {
    it(`says "${lines[0] ?? 'nothing'}"`, () => {
      expect(linesOf(seen)).to.deep.equal(lines)
    })
  }

  it('tells how far behind each server is, or that it is not asked yet', () => {
    const checks = readiness({ ...SERVING, keys: [keys, unasked] })
    const told = checks.flatMap(({ name, reason }) => (reason ? [`${name}: ${reason}`] : []))
    expect(told).to.deep.equal([
      'replica one:5432: at most 0.5 s behind',
      'keys keys:5432: at most 0 s behind',
      'keys keys:5432: not asked yet',
    ])
  })
})
