/** The checks of `/readyz`. */
import type { Catalog } from '../../definitions/definition.ts'
import { describeFinding, type FileFinding } from '../../definitions/findings.ts'
import type { KeyDatabaseStatus } from '../../model/gauges.ts'
import type { ReplicaState } from '../../model/observation.ts'
import type { Seconds } from '../../model/terms.ts'
import type { DryRunState } from '../start/catalog-check.ts'
import type { Check } from './operations.ts'

/** The current state of a replica. */
export interface ReplicaStatus {
  /** `host:port` */
  readonly name: string
  /** Why it cannot take an execution, or why its state is not known. */
  readonly degraded: () => string | undefined
  /** Whether its connections may not be used because its role lacks settings. */
  readonly isRefused: () => boolean
  /** Write privileges of its role, and the SQL that revokes them. */
  readonly writePrivileges: () => string | undefined
  /** What is wrong although it takes executions. */
  readonly otherFault: () => string | undefined
  /** The result of the last probe; undefined before the first. */
  readonly state: () => ReplicaState | undefined
}

/**
 * Without a replica, the gateway stays ready while it has cached responses, which may be served stale: a load
 * balancer must not remove it.
 */
export function readiness(status: {
  readonly catalog: Catalog
  /** At least one. */
  readonly replicas: readonly ReplicaStatus[]
  /** At least one. */
  readonly keys: readonly KeyDatabaseStatus[]
  /** Organizations with invalid access rows in the last minute. */
  readonly invalidAccessRowCount: number
  /** Cached responses. */
  readonly cachedCount: number
  readonly dryRun: DryRunState
  /** Findings in `sql/access/organizations.sql` and its rows. */
  readonly organizations: readonly FileFinding[]
  /** Findings that prevented the last reload. */
  readonly reload: readonly FileFinding[]
  /** Why the last file of a large response failed. */
  readonly spoolFailure: string | undefined
  readonly draining: boolean
}): Check[] {
  const { catalog, replicas, keys, cachedCount, dryRun, draining } = status
  return [
    definitions(catalog, dryRun, status.organizations),
    lastReload(status.reload),
    responses(replicas, cachedCount),
    ...replicas.map(replica),
    readOnlyRole(replicas),
    lookUps(keys),
    ...keys.map(keyDatabase),
    accessRows(status.invalidAccessRowCount),
    spool(status.spoolFailure),
    { name: 'not draining', ok: !draining, reason: draining ? 'stopping' : undefined },
  ]
}

/** Whether responses can come from a replica, or at least from the cache. */
function responses(replicas: readonly ReplicaStatus[], cachedCount: number): Check {
  const name = 'answers'
  if (replicas.every(({ state }) => state() === undefined)) {
    return { name, ok: false, reason: 'no replica was reached since the start' }
  }
  if (replicas.some(({ degraded }) => degraded() === undefined)) return { name, ok: true }
  if (cachedCount > 0) {
    return { name, ok: true, degraded: true, reason: `no replica, ${cachedCount} cached responses` }
  }
  const mayReturn = replicas.some(one => one.state()?.usable === true && !one.isRefused())
  return mayReturn
    ? { name, ok: true, degraded: true, reason: 'no replica, and no cached responses' }
    : { name, ok: false, reason: 'no replica, and no cached responses' }
}

/**
 * If all key databases are unreachable, the gateway stays ready, since they may recover. A rejected role fails
 * readiness, since it needs a correction.
 */
function lookUps(keys: readonly KeyDatabaseStatus[]): Check {
  const name = 'keys'
  if (keys.some(({ isUsable }) => isUsable !== false)) return { name, ok: true }
  return keys.some(({ refusal }) => refusal !== undefined)
    ? { name, ok: false, reason: 'no key database has a usable role' }
    : { name, ok: true, degraded: true, reason: 'no key database is available' }
}

/** Only keys of these organizations receive 503. */
function accessRows(invalidCount: number): Check {
  const name = 'access-rows'
  if (invalidCount === 0) return { name, ok: true }
  const reason = `${invalidCount} ${invalidCount === 1 ? 'organization has' : 'organizations have'} a row that is not valid: see the log`
  return { name, ok: true, degraded: true, reason }
}

/** Only responses that are too large to cache need a spill file. */
function spool(reason: string | undefined): Check {
  return { name: 'spool', ok: true, degraded: reason !== undefined, reason }
}

function keyDatabase({ replica, ...status }: KeyDatabaseStatus): Check {
  const name = `keys ${replica}`
  const degraded = (reason: string): Check => ({ name, ok: true, degraded: true, reason })
  if (status.refusal !== undefined) return degraded(`refused: ${status.refusal}`)
  if (!status.isReached) {
    const { lookUpFailure } = status
    return degraded(`cannot be reached${lookUpFailure === undefined ? '' : `: ${lookUpFailure}`}`)
  }
  if (status.lookUpFailure !== undefined) return degraded(`look-ups fail: ${status.lookUpFailure}`)
  if (status.isUsable === undefined) return { name, ok: true, reason: 'not probed yet' }
  const { lagSeconds } = status
  const lag = lagSeconds === undefined ? 'lag unknown' : behind(lagSeconds)
  if (!status.isUsable) return degraded(`${lag}, more than allowed`)
  if (status.checkFailure !== undefined) return degraded(`${status.checkFailure}, ${lag}`)
  return { name, ok: true, reason: lag }
}

function behind(lagSeconds: Seconds): string {
  return `at most ${Math.ceil(lagSeconds * 10) / 10} s behind`
}

/** A replica alone does not fail readiness. */
function replica(status: ReplicaStatus): Check {
  const name = `replica ${status.name}`
  const degraded = (reason: string): Check => ({ name, ok: true, degraded: true, reason })
  const reason = status.degraded() ?? status.otherFault()
  if (reason !== undefined) return degraded(reason)
  const { lagSeconds, replayPaused } = status.state()!
  if (lagSeconds === undefined) return degraded('lag unknown')
  const lag = behind(lagSeconds)
  return replayPaused ? degraded(`replay is paused, ${lag}`) : { name, ok: true, reason: lag }
}

/** Executions are read-only transactions; the role is the second protection. */
function readOnlyRole(replicas: readonly ReplicaStatus[]): Check {
  const name = 'read-only role'
  for (const { name: replica, writePrivileges } of replicas) {
    const found = writePrivileges()
    if (found !== undefined) {
      return { name, ok: true, degraded: true, reason: `${replica}: ${found}` }
    }
  }
  return { name, ok: true }
}

const SHOWN_NAMES = 10

function definitions(
  { reports, metricsFiles }: Catalog,
  dryRun: DryRunState,
  organizations: readonly FileFinding[],
): Check {
  const name = 'definitions'
  const reason = 'not planned on the replica yet'
  if (dryRun === 'not yet') return { name, ok: false, reason }
  if (dryRun === 'postponed') return { name, ok: true, degraded: true, reason }
  if ('rejected' in dryRun) return { name, ok: false, reason: wordsOf(dryRun.rejected) }
  const { refused } = dryRun
  if (refused.length === 0 && organizations.length === 0) return { name, ok: true }
  if (refused.length === 0)
    return { name, ok: true, degraded: true, reason: wordsOf(organizations) }
  const all = reports.size + metricsFiles.size
  const more = refused.length > SHOWN_NAMES ? ', ...' : ''
  const names = refused.slice(0, SHOWN_NAMES).join(', ')
  const found = `${refused.length} of ${all} do not run on this replica: ${names}${more}`
  return { name, ok: refused.length < all, degraded: true, reason: found }
}

/** The previous definitions are still served. */
function lastReload(findings: readonly FileFinding[]): Check {
  const name = 'reload'
  const [first] = findings
  if (first === undefined) return { name, ok: true }
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings, the first`
  const reason = `the previous definitions are used; ${count}: ${describeFinding(first)}`
  return { name, ok: true, degraded: true, reason }
}

function wordsOf(findings: readonly FileFinding[]): string {
  return findings.map(describeFinding).join('; ')
}
