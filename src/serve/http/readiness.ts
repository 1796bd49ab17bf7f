/** What must hold before the gateway may take traffic, in words for the person who looks at `/readyz`. */
import type { Catalog } from '../../definitions/definition.ts'
import type { KeyDatabaseSeen } from '../../model/gauges.ts'
import type { CircuitState, ReplicaState } from '../../model/observation.ts'
import type { Milliseconds, Seconds } from '../../model/terms.ts'
import type { RehearsalState } from '../rehearsal/rehearsed.ts'
import type { Check } from './operations.ts'

/** What is known of a replica at this moment. */
export interface ReplicaSeen {
  /** `host:port` */
  readonly name: string
  readonly circuit: { state(): CircuitState }
  /** What its role lacks, where no connection of it may be used. */
  readonly refusal: () => string | undefined
  /** Why the circuit is not closed. */
  readonly broken: () => string | undefined
  /** What its role can write, and the SQL that takes it away. */
  readonly writePrivileges: () => string | undefined
  /** What the probe saw last; undefined until it has seen anything. */
  readonly state: () => ReplicaState | undefined
  readonly stateAgeMs: () => Milliseconds
}

/**
 * Replicas that go away leave the gateway ready while it keeps answers: a load balancer that took it away
 * would turn stale answers into none.
 */
export function readiness(seen: {
  readonly catalog: Catalog
  /** At least one. */
  readonly replicas: readonly ReplicaSeen[]
  /** At least one. */
  readonly keys: readonly KeyDatabaseSeen[]
  /** Organizations whose access rows were not valid lately. */
  readonly invalidAccessRowCount: number
  /** Answers in the cache. */
  readonly keptCount: number
  readonly rehearsal: RehearsalState
  readonly draining: boolean
}): Check[] {
  const { catalog, replicas, keys, keptCount, rehearsal, draining } = seen
  return [
    definitions(catalog, rehearsal),
    answers(replicas, keptCount),
    ...replicas.map(replica),
    readOnlyRole(replicas),
    lookUps(keys),
    ...keys.map(keyDatabase),
    accessRows(seen.invalidAccessRowCount),
    { name: 'not draining', ok: !draining, reason: draining ? 'stopping' : undefined },
  ]
}

/** From a replica, or at least from what is kept. */
function answers(replicas: readonly ReplicaSeen[], keptCount: number): Check {
  const name = 'answers'
  if (replicas.every(({ state }) => state() === undefined)) {
    return { name, ok: false, reason: 'no replica was reached since the start' }
  }
  if (replicas.some(one => trouble(one) === undefined)) return { name, ok: true }
  if (keptCount > 0) {
    return { name, ok: true, degraded: true, reason: `no replica, ${keptCount} kept answers` }
  }
  const mayComeBack = replicas.some(
    ({ state, refusal }) => state()?.usable === true && refusal() === undefined,
  )
  return mayComeBack
    ? { name, ok: true, degraded: true, reason: 'no replica, and no kept answers' }
    : { name, ok: false, reason: 'no replica, and no kept answers' }
}

/**
 * Databases of keys that are away come back, and leave it ready; a role that is refused does not until
 * somebody has mended it.
 */
function lookUps(keys: readonly KeyDatabaseSeen[]): Check {
  const name = 'keys'
  if (keys.some(({ counts }) => counts !== false)) return { name, ok: true }
  return keys.some(({ refusal }) => refusal !== undefined)
    ? { name, ok: false, reason: 'no database that they may be looked up in' }
    : { name, ok: true, degraded: true, reason: 'no database to look them up in now' }
}

/** Keys of those organizations alone get 503. */
function accessRows(invalidCount: number): Check {
  const name = 'access-rows'
  if (invalidCount === 0) return { name, ok: true }
  const reason = `${invalidCount} ${invalidCount === 1 ? 'organization has' : 'organizations have'} a row that is not valid: see the log`
  return { name, ok: true, degraded: true, reason }
}

function keyDatabase({ replica, ...seen }: KeyDatabaseSeen): Check {
  const name = `keys ${replica}`
  const degraded = (reason: string): Check => ({ name, ok: true, degraded: true, reason })
  if (seen.refusal !== undefined) return degraded(`refused: ${seen.refusal}`)
  if (!seen.isReached) return degraded('cannot be reached')
  if (seen.counts === undefined) return { name, ok: true, reason: 'not asked yet' }
  const { lagSeconds } = seen
  const lag = lagSeconds === undefined ? 'lag unknown' : behind(lagSeconds)
  if (!seen.counts) return degraded(`${lag}, which is too far`)
  if (seen.checkFailure !== undefined) return degraded(`${seen.checkFailure}, ${lag}`)
  return { name, ok: true, reason: lag }
}

function behind(lagSeconds: Seconds): string {
  return `at most ${Math.ceil(lagSeconds * 10) / 10} s behind`
}

/** One that is away says so, and fails nothing alone. */
function replica(seen: ReplicaSeen): Check {
  const name = `replica ${seen.name}`
  const reason = trouble(seen)
  if (reason !== undefined) return { name, ok: true, degraded: true, reason }
  const { lagSeconds, replayPaused } = seen.state()!
  if (lagSeconds === undefined) return { name, ok: true, degraded: true, reason: 'lag unknown' }
  const lag = behind(lagSeconds)
  if (replayPaused) return { name, ok: true, degraded: true, reason: `replay is paused, ${lag}` }
  return { name, ok: true, reason: lag }
}

/** Executions cannot write whatever the role may; the role is what holds if that fails. */
function readOnlyRole(replicas: readonly ReplicaSeen[]): Check {
  const name = 'read-only role'
  for (const { name: replica, writePrivileges } of replicas) {
    const found = writePrivileges()
    if (found !== undefined) {
      return { name, ok: true, degraded: true, reason: `${replica}: ${found}` }
    }
  }
  return { name, ok: true }
}

const LATE_MS = 3000

/** Why no report may run there, or hardly. */
function trouble({ circuit, refusal, broken, state, stateAgeMs }: ReplicaSeen): string | undefined {
  const lacking = refusal()
  if (lacking !== undefined) return `refused: ${lacking}`
  const seen = state()
  if (seen === undefined) return 'not reached since the start'
  if (!seen.usable) return 'the server is writable; ALLOW_PRIMARY=true lets it in'
  const ageMs = stateAgeMs()
  const age = `last answered ${Math.round(ageMs / 1000)} s ago`
  if (circuit.state() === 'closed') return ageMs < LATE_MS ? undefined : age
  // why: the probe has a role and a way of its own, which may be well
  return ageMs < LATE_MS ? `no connection for reports: ${broken()}` : `cannot be reached, ${age}`
}

function definitions({ reports, metricsFiles }: Catalog, rehearsal: RehearsalState): Check {
  const name = 'definitions'
  const reason = 'not planned on the replica yet'
  if (rehearsal === 'not yet') return { name, ok: false, reason }
  if (rehearsal === 'put off') return { name, ok: true, degraded: true, reason }
  const { refused } = rehearsal
  if (refused === 0) return { name, ok: true }
  const all = reports.size + metricsFiles.size
  const found = `${refused} of ${all} do not run on this replica`
  return { name, ok: refused < all, degraded: true, reason: found }
}
