import { expect } from 'chai'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { parseSql } from '../harness/parse-sql.ts'
import type { KeyDatabaseStatus } from '../../src/model/gauges.ts'
import { degradedReason } from '../../src/serve/database/replica.ts'
import type { ReplicaState } from '../../src/model/observation.ts'
import { readiness, type ReplicaStatus } from '../../src/serve/start/readiness.ts'

type Status = Parameters<typeof readiness>[0]

const standby: ReplicaState = {
  inRecovery: true,
  usable: true,
  dataAsOf: undefined,
  lagSeconds: 0.42,
  replayPaused: false,
}

const FULL = new Error('too many connections for role "x"')

/** @param state of the last probe; undefined if the replica was never reached */
function replica(
  state: Partial<ReplicaState> | undefined,
  health: 'usable' | 'excluded' = 'usable',
  ageMs = 100,
): ReplicaStatus {
  const probe = { state: () => state && { ...standby, ...state }, stateAgeMs: () => ageMs }
  const candidate = {
    name: 'one:5432',
    probe,
    health: { state: () => health, reason: () => (health === 'usable' ? undefined : FULL) },
  }
  return {
    ...candidate,
    state: probe.state,
    degraded: () => degradedReason(candidate),
    otherFault: () => undefined,
    faults: {},
  }
}
const good = replica({})
const promoted = replica({ inRecovery: false, usable: false })
const canWrite = { ...good, faults: { writePrivileges: 'role x can insert' } }

const keys: KeyDatabaseStatus = {
  replica: 'keys:5432',
  isReached: true,
  lookUpFailure: undefined,
  checkFailure: undefined,
  lagSeconds: 0,
  isUsable: true,
}
const unreachable = { ...keys, isReached: false, isUsable: false }
const behind = { ...keys, lagSeconds: 70, isUsable: false }

const catalog = await loadCatalog('sql', parseSql)
const SERVING: Status = {
  catalog,
  replicas: [good],
  keys: [keys],
  invalidAccessRowCount: 0,
  cachedCount: 0,
  validation: { access: [], refused: [] },
  organizations: [],
  reload: [],
  spoolFailure: undefined,
  reportsMaxLagSeconds: 60,
  draining: false,
}
const all = catalog.reports.size + catalog.metricsFiles.size

/** Degraded checks as "~", failed ones as "-"; others are omitted. */
function linesOf(status: Partial<Status>): string[] {
  return readiness({ ...SERVING, ...status })
    .filter(({ ok, degraded }) => !ok || degraded)
    .map(({ name, ok, reason }) => `${ok ? '~' : '-'} ${name}: ${reason}`)
}

const unreached = replica(undefined)
const open = replica({}, 'excluded', 12_000)
const connections = 'no connection for reports: too many connections for role "x"'

const REPLICAS: ReadonlyArray<readonly [status: ReplicaStatus, reason: string]> = [
  [unreached, 'not reached since the start'],
  [open, 'cannot be reached, last response 12 s ago'],
  [replica({}, 'usable', 12_000), 'last response 12 s ago'],
  [replica({}, 'excluded', 1200), connections],
  [promoted, 'is not in recovery, and ALLOW_PRIMARY is not set'],
  [replica({ replayPaused: true }), 'replay is paused, at most 0.5 s behind'],
  [replica({ lagSeconds: undefined }), 'lag unknown'],
  [replica({ lagSeconds: 60.5 }), 'at most 60.5 s behind, more than REPORTS_MAX_LAG'],
]

const NONE = 'no replica, and no cached responses'
const RESPONSES: ReadonlyArray<
  readonly [status: ReplicaStatus, cachedCount: number, line: string]
> = [
  [unreached, 0, '- answers: no replica was reached since the start'],
  [open, 0, `~ answers: ${NONE}`],
  [open, 7, '~ answers: no replica, 7 cached responses'],
  [promoted, 0, `- answers: ${NONE}`],
]

const unprobed = { ...keys, isUsable: undefined }
const failing = { ...keys, isUsable: false, lookUpFailure: 'permission denied' }
const unchecked = { ...keys, checkFailure: 'no time zones' }
const unknown = { ...behind, lagSeconds: undefined }
const rows = (found: string): string =>
  `~ access-rows: ${found} a row that is not valid: see the log`

const HEX = { file: 'access.sql', line: 3, message: 'not bytea' }
const YES = { file: 'access.sql', line: undefined, message: 'not boolean' }
const HEX_LINE = 'access.sql:3: not bytea'

const OTHERS: ReadonlyArray<readonly [status: Partial<Status>, ...lines: string[]]> = [
  [{}],
  [{ draining: true }, '- not draining: stopping'],
  [
    { reload: [{ file: 'sql/reports/a/b.sql', line: 3, message: 'found x, expected y' }] },
    '~ reload: the previous definitions are used; 1 finding: sql/reports/a/b.sql:3: found x, expected y',
  ],
  [{ replicas: [good, canWrite] }, '~ read-only role: one:5432: role x can insert'],
  [{ validation: undefined }, '- definitions: not planned on the replica yet'],
  [{ validation: { access: [] } }, '~ definitions: not planned on the replica yet'],
  [
    { validation: { access: [], refused: ['a', 'b'] } },
    `~ definitions: 2 of ${all} do not run on this replica: a, b`,
  ],
  [
    { validation: { access: [], refused: Array<string>(all).fill('a') } },
    `- definitions: ${all} of ${all} do not run on this replica: a, a, a, a, a, a, a, a, a, a, ...`,
  ],
  [{ validation: { access: [HEX, YES] } }, `- definitions: ${HEX_LINE}; access.sql: not boolean`],
  [
    { validation: { access: [], refused: ['a'] }, organizations: [HEX] },
    `~ definitions: 1 of ${all} do not run on this replica: a; ${HEX_LINE}`,
  ],
  [{ invalidAccessRowCount: 1 }, rows('1 organization has')],
  [{ keys: [keys, unreachable] }, '~ keys keys:5432: cannot be reached'],
  [{ keys: [keys, behind] }, '~ keys keys:5432: at most 70 s behind, more than allowed'],
  [{ keys: [keys, unchecked] }, '~ keys keys:5432: no time zones, at most 0 s behind'],
  [
    { keys: [failing] },
    '~ keys: no key database is available',
    '~ keys keys:5432: look-ups fail: permission denied',
  ],
  [
    { keys: [unreachable, unknown] },
    '~ keys: no key database is available',
    '~ keys keys:5432: cannot be reached',
    '~ keys keys:5432: lag unknown, more than allowed',
  ],
]

describe('readiness', () => {
  for (const [status, reason] of REPLICAS) {
    it(`passes with a good replica and one with the reason "${reason}"`, () => {
      expect(linesOf({ replicas: [status, good] })).to.deep.equal([`~ replica one:5432: ${reason}`])
    })
  }

  for (const [status, cachedCount, line] of RESPONSES) {
    it(`is "${line}" with ${cachedCount} cached responses and one such replica`, () => {
      expect(linesOf({ replicas: [status], cachedCount })[0]).to.equal(line)
    })
  }

  for (const [status, ...lines] of OTHERS) {
    it(`is "${lines[0] ?? 'ok'}"`, () => {
      expect(linesOf(status)).to.deep.equal(lines)
    })
  }

  it('reports the lag of each server, or that it is not probed yet', () => {
    const checks = readiness({ ...SERVING, keys: [keys, unprobed] })
    const reasons = checks.flatMap(({ name, reason }) => (reason ? [`${name}: ${reason}`] : []))
    expect(reasons).to.deep.equal([
      'replica one:5432: at most 0.5 s behind',
      'keys keys:5432: at most 0 s behind',
      'keys keys:5432: not probed yet',
    ])
  })
})
