/** Which replicas a run may go to, the least busy first, and why it may not go to the others. Knows no pg. */
import type { ReplicaState } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'

/** What is known of a replica at this moment. */
export interface Candidate {
  /** `host:port` */
  readonly name: string
  readonly circuit: Pick<CircuitBreaker, 'state'>
  /** What the probe saw last; undefined until it has seen anything. */
  readonly state: () => ReplicaState | undefined
  readonly stateAgeMs: () => Milliseconds
  /** Executions per slot. */
  readonly load: () => number
}

/** @param random from 0 to 1, to choose among the equally busy */
export function inRotation<C extends Candidate>(
  candidates: readonly C[],
  maxLagMs: Milliseconds | undefined,
  random: () => number,
): C[] {
  return candidates
    .filter(candidate => whyNot(candidate, maxLagMs) === undefined)
    .map(candidate => ({ candidate, load: candidate.load(), lot: random() }))
    .toSorted((a, b) => a.load - b.load || a.lot - b.lot)
    .map(({ candidate }) => candidate)
}

/** Undefined where a run may go there; else in a few words, for the log and for `/readyz`. */
export function whyNot(
  { circuit, state, stateAgeMs }: Candidate,
  maxLagMs: Milliseconds | undefined,
): string | undefined {
  if (circuit.state() !== 'closed') return 'cannot be reached'
  const seen = state()
  // why: before the first probe a run asks on its own connection, but lag it cannot ask for
  if (seen?.usable === false) return 'is not in recovery, and ALLOW_PRIMARY is not set'
  return maxLagMs === undefined ? undefined : tooFarBehind(seen, stateAgeMs(), maxLagMs)
}

/** It was near enough when the run was sent there. */
export class TooFarBehindError extends Error {
  override readonly name = 'TooFarBehindError'
}

/** Undefined where it is near enough. */
export function tooFarBehind(
  seen: ReplicaState | undefined,
  ageMs: Milliseconds,
  maxLagMs: Milliseconds,
): string | undefined {
  if (seen?.lagSeconds === undefined) return 'has an unknown lag'
  // why: what was seen a while ago is as much older now
  const lagMs = seen.lagSeconds * 1000 + ageMs
  if (lagMs <= maxLagMs) return undefined
  return `may be ${lagMs / 1000} s behind, where ${maxLagMs / 1000} s are allowed`
}
