/** The checks of `/readyz`. */
import type { Catalog } from '../../definitions/definition.ts'
import { describeFinding, type FileFinding } from '../../definitions/findings.ts'
import type { KeyDatabaseStatus } from '../../model/gauges.ts'
import type { Seconds } from '../../model/terms.ts'
import type { Replica } from '../database/replica.ts'
import type { Validation } from './checks.ts'
import type { ReplicaFaults } from './replica-faults.ts'
import type { Check } from '../../model/gauges.ts'

/** The current state of a replica, and what is wrong with its role or its server. */
export type ReplicaStatus = Pick<Replica, 'name' | 'degraded' | 'otherFault' | 'state'> & {
  readonly faults: ReplicaFaults
}

/**
 * Without a replica, the gateway stays ready while it has cached responses, which may be served stale: a load
 * balancer must not remove it.
 */
export function readiness(status: {
  readonly catalog: Catalog
  /** There is at least one. */
  readonly replicas: readonly ReplicaStatus[]
  /** There is at least one. */
  readonly keys: readonly KeyDatabaseStatus[]
  /** Organizations with invalid access rows in the last minute. */
  readonly invalidAccessRowCount: number
  /** Cached responses. */
  readonly cachedCount: number
  /** The result for the catalog in use; undefined until it has been validated. */
  readonly validation: Validation | undefined
  /** Why it could not be validated, if a replica said so. */
  readonly planFailure?: string | undefined
  /** Findings in `organizations.sql` and its rows, and about the time of look-ups. */
  readonly organizations: readonly FileFinding[]
  /** Findings that prevented the last reload. */
  readonly reload: readonly FileFinding[]
  /** Why the last file of a large response failed. */
  readonly spoolFailure: string | undefined
  /** `REPORTS_MAX_LAG` */
  readonly reportsMaxLagSeconds: Seconds
  readonly draining: boolean
}): Check[] {
  const { replicas, keys, reload, draining } = status
  const writable = replicas.flatMap(({ name, faults: { writePrivileges } }) =>
    writePrivileges === undefined ? [] : [`${name}: ${writePrivileges}`],
  )
  return [
    definitions(status),
    check('reload', reloadFault(reload)),
    responses(replicas, status.cachedCount),
    ...replicas.map(one => replica(one, status.reportsMaxLagSeconds)),
    // why: executions are read-only transactions; the role is the second protection
    check('read-only role', writable[0]),
    // why: if all are unreachable, they may recover
    check('keys', keys.some(isPerhapsUsable) ? undefined : 'no key database is available'),
    ...keys.map(keyDatabase),
    check('access-rows', accessRowsFault(status.invalidAccessRowCount)),
    // why: only responses that are too large to cache in memory need a file
    check('spool', status.spoolFailure),
    check('not draining', draining ? 'stopping' : undefined, false),
  ]
}

const isPerhapsUsable = ({ isUsable }: KeyDatabaseStatus): boolean => isUsable !== false

/** @param fault undefined if there is none @param isReady whether requests can be served in spite of it */
function check(name: string, fault: string | undefined, isReady = true): Check {
  const hasFault = fault !== undefined
  return { name, ok: isReady || !hasFault, degraded: isReady && hasFault, reason: fault }
}

const passed = (name: string, reason: string): Check => ({ name, ok: true, reason })

/** Whether responses can come from a replica, or at least from the cache. */
function responses(replicas: readonly ReplicaStatus[], cachedCount: number): Check {
  const name = 'answers'
  if (replicas.every(({ state }) => state() === undefined))
    return check(name, 'no replica was reached since the start', false)
  if (replicas.some(one => one.degraded() === undefined)) return check(name, undefined)
  if (cachedCount > 0) return check(name, `no replica, ${cachedCount} cached responses`)
  const mayReturn = replicas.some(one => one.state()?.usable === true)
  return check(name, 'no replica, and no cached responses', mayReturn)
}

/** Only keys of these organizations receive 503. */
function accessRowsFault(invalidCount: number): string | undefined {
  if (invalidCount === 0) return undefined
  const subject = invalidCount === 1 ? 'organization has' : 'organizations have'
  return `${invalidCount} ${subject} a row that is not valid: see the log`
}

function keyDatabase({ replica, ...status }: KeyDatabaseStatus): Check {
  const name = `keys ${replica}`
  const { lookUpFailure, checkFailure, isUsable } = status
  const lag = behind(status.lagSeconds)
  const why = lookUpFailure === undefined ? '' : `: ${lookUpFailure}`
  if (!status.isReached) return check(name, `cannot be reached${why}`)
  if (lookUpFailure !== undefined) return check(name, `look-ups fail${why}`)
  if (isUsable === undefined) return passed(name, 'not probed yet')
  if (!isUsable) return check(name, `${lag}, more than allowed`)
  return checkFailure === undefined ? passed(name, lag) : check(name, `${checkFailure}, ${lag}`)
}

function behind(lagSeconds: Seconds | undefined): string {
  return lagSeconds === undefined
    ? 'lag unknown'
    : `at most ${Math.ceil(lagSeconds * 10) / 10} s behind`
}

/** A replica alone does not fail readiness. */
function replica(status: ReplicaStatus, maxLagSeconds: Seconds): Check {
  const name = `replica ${status.name}`
  const fault = status.degraded() ?? status.otherFault() ?? status.faults.collations
  if (fault !== undefined) return check(name, fault)
  const { lagSeconds, replayPaused } = status.state()!
  const lag = behind(lagSeconds)
  if (replayPaused) return check(name, `replay is paused, ${lag}`)
  if (lagSeconds === undefined) return check(name, lag)
  return lagSeconds > maxLagSeconds
    ? check(name, `${lag}, more than REPORTS_MAX_LAG`)
    : passed(name, lag)
}

const SHOWN_NAMES = 10

function definitions({
  catalog: { reports, metricsFiles },
  validation,
  planFailure,
  organizations,
}: Parameters<typeof readiness>[0]): Check {
  const name = 'definitions'
  const why = planFailure === undefined ? '' : `: ${planFailure}`
  const unplanned = `not planned on the replica yet${why}`
  if (validation === undefined) return check(name, unplanned, false)
  const { access, refused } = validation
  if (access.length > 0) return check(name, access.map(describeFinding).join('; '), false)
  if (refused === undefined) return check(name, unplanned)
  const all = reports.size + metricsFiles.size
  const more = refused.length > SHOWN_NAMES ? ', ...' : ''
  const names = refused.slice(0, SHOWN_NAMES).join(', ')
  const found = `${refused.length} of ${all} do not run on this replica: ${names}${more}`
  const faults = [...(names === '' ? [] : [found]), ...organizations.map(describeFinding)]
  return check(name, faults.join('; ') || undefined, names === '' || refused.length < all)
}

/** The previous definitions are still served. */
function reloadFault(findings: readonly FileFinding[]): string | undefined {
  const [first] = findings
  if (first === undefined) return undefined
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings, the first`
  return `the previous definitions are used; ${count}: ${describeFinding(first)}`
}
