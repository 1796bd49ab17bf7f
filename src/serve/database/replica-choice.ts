/**
 * Ranks replicas for an execution: the least busy first, and those far behind last. A replica is usable unless it is
 * excluded, a writable server, or further behind than the report allows. Knows no pg.
 */
import type { ReplicaState } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { Health } from './health.ts'
import { lagMs, RENEWED_MS, TRUSTED_MS } from './probe.ts'
import type { Probed } from './server-check.ts'
import { wordsOf } from './classify-error.ts'

/** What is known of a replica. */
export interface Candidate {
  readonly health: Pick<Health, 'state' | 'reason'>
  readonly probe: Probed
}

export interface Ranking<C> {
  /** Candidates that are further behind rank last. */
  readonly reportsMaxLagMs: Milliseconds
  /** Executions there. */
  readonly loadOf: (candidate: C) => number
  /** From 0 to 1. */
  readonly random: () => number
}

/** The best first: those within `reportsMaxLagMs` by load, then the others by lag. */
export function usableReplicas<C extends Candidate>(
  candidates: readonly C[],
  maxLagMs: Milliseconds | undefined,
  { reportsMaxLagMs, loadOf, random }: Ranking<C>,
): readonly C[] {
  const usable = candidates.filter(one => unusableReason(one, maxLagMs) === undefined)
  if (usable.length < 2) return usable
  const ranked = usable.map(one => {
    const state = one.probe.state()
    const lag = lagMs(state, one.probe.stateAgeMs())
    const isLate = lag > reportsMaxLagMs || state?.replayPaused === true
    // why: the difference of two infinities is not a number
    const lateMs = isLate ? Math.min(Math.max(1, lag), Number.MAX_VALUE) : 0
    return { one, lateMs, load: loadOf(one), lot: random() }
  })
  ranked.sort((a, b) => a.lateMs - b.lateMs || a.load - b.load || a.lot - b.lot)
  return ranked.map(({ one }) => one)
}

/** Why it cannot take an execution, for the log; undefined if it can. */
export function unusableReason(
  { health, probe }: Candidate,
  maxLagMs?: Milliseconds,
): string | undefined {
  const state = probe.state()
  if (health.state() === 'excluded') {
    if (state === undefined) return NEVER_REACHED
    const ageMs = probe.stateAgeMs()
    // why: the probe has its own role and connection, which may work
    if (ageMs >= TRUSTED_MS) return `cannot be reached, ${ageText(ageMs)}`
    if (state.usable) return `no connection for reports: ${wordsOf(health.reason())}`
  }
  // why: without a probe an execution checks recovery in its own transaction, but it cannot check the lag
  if (state?.usable === false) return 'is not in recovery, and ALLOW_PRIMARY is not set'
  // why: an older state is renewed before the execution
  const ageMs = Math.min(probe.stateAgeMs(), RENEWED_MS)
  return maxLagMs === undefined ? undefined : lagProblem(state, ageMs, maxLagMs)
}

/** Why it cannot take an execution or its state is not known, for `/readyz`. */
export function degradedReason(candidate: Candidate): string | undefined {
  const { health, probe } = candidate
  const reason = unusableReason(candidate)
  if (reason !== undefined) return reason
  const isNew = health.state() === 'held' && health.reason() === undefined
  if (probe.state() === undefined || isNew) return NEVER_REACHED
  return probe.stateAgeMs() < TRUSTED_MS ? undefined : ageText(probe.stateAgeMs())
}

const NEVER_REACHED = 'not reached since the start'

function ageText(ageMs: Milliseconds): string {
  return `last response ${Math.round(ageMs / 1000)} s ago`
}

/** Undefined if the data are new enough. */
export function lagProblem(
  state: ReplicaState | undefined,
  ageMs: Milliseconds,
  maxLagMs: Milliseconds,
): string | undefined {
  const lag = lagMs(state, ageMs)
  if (lag <= maxLagMs) return undefined
  if (lag === Number.POSITIVE_INFINITY) return 'has an unknown lag'
  return `may be ${lag / 1000} s behind, where ${maxLagMs / 1000} s are allowed`
}
