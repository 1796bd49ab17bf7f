/** What must hold before the gateway may take traffic, in words for the person who looks at `/readyz`. */
import type { Catalog } from '../definitions/definition.ts'
import type { CircuitState, ReplicaState } from '../observation.ts'
import type { Milliseconds } from '../terms.ts'
import type { RehearsalState } from '../reports/rehearsed.ts'
import type { Check } from './operations.ts'

/** What is known of a replica at this moment. */
export interface ReplicaSeen {
  /** `host:port` */
  readonly name: string
  readonly circuit: { state(): CircuitState }
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
  /** Answers in the cache. */
  readonly keptCount: number
  readonly rehearsal: RehearsalState
  readonly draining: boolean
}): Check[] {
  const { catalog, replicas, keptCount, rehearsal, draining } = seen
  return [
    definitions(catalog, rehearsal),
    answers(replicas, keptCount),
    ...replicas.map(replica),
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
  return replicas.some(({ state }) => state()?.usable === true)
    ? { name, ok: true, degraded: true, reason: 'no replica, and no kept answers' }
    : { name, ok: false, reason: 'no replica, and no kept answers' }
}

/** One that is away says so, and fails nothing alone. */
function replica(seen: ReplicaSeen): Check {
  const name = `replica ${seen.name}`
  const reason = trouble(seen)
  if (reason !== undefined) return { name, ok: true, degraded: true, reason }
  const { lagSeconds, replayPaused } = seen.state()!
  if (lagSeconds === undefined) return { name, ok: true, degraded: true, reason: 'lag unknown' }
  const lag = `at most ${Math.ceil(lagSeconds * 10) / 10} s behind`
  if (replayPaused) return { name, ok: true, degraded: true, reason: `replay is paused, ${lag}` }
  return { name, ok: true, reason: lag }
}

const LATE_MS = 3000

/** Why no report may run there, or hardly. */
function trouble({ circuit, state, stateAgeMs }: ReplicaSeen): string | undefined {
  const seen = state()
  if (seen === undefined) return 'not reached since the start'
  if (!seen.usable) return 'the server is writable; ALLOW_PRIMARY=true lets it in'
  const ageMs = stateAgeMs()
  const age = `last answered ${Math.round(ageMs / 1000)} s ago`
  if (circuit.state() !== 'closed') return `cannot be reached, ${age}`
  return ageMs < LATE_MS ? undefined : age
}

function definitions({ reports, metricsFiles }: Catalog, rehearsal: RehearsalState): Check {
  const name = 'definitions'
  if (rehearsal === 'not yet') return { name, ok: false, reason: 'not planned on the replica yet' }
  if (rehearsal === 'put off') return { name, ok: true, reason: 'not planned on the replica yet' }
  const { refused } = rehearsal
  if (refused === 0) return { name, ok: true }
  const all = reports.size + metricsFiles.size
  return { name, ok: refused < all, reason: `${refused} of ${all} do not run on this replica` }
}
