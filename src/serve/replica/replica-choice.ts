/**
 * Which replicas may take an execution, the least busy first, and why the others may not: the circuit breaker is
 * closed, the server may be used, and its data are new enough. Knows no pg.
 */
import type { ReplicaState } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { lagMs } from './probe.ts'

/** What is known of a replica at this moment. */
export interface Candidate {
  /** `host:port` */
  readonly name: string
  readonly circuit: Pick<CircuitBreaker, 'state'>
  /** As probed last; undefined until it was. */
  readonly state: () => ReplicaState | undefined
  readonly stateAgeMs: () => Milliseconds
  /** Executions per slot. */
  readonly load: () => number
}

/** @param random from 0 to 1, to choose among the equally busy */
export function usableReplicas<C extends Candidate>(
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

/** Undefined if it may take an execution; else in a few words, for the log and for `/readyz`. */
export function whyNot(
  { circuit, state, stateAgeMs }: Candidate,
  maxLagMs: Milliseconds | undefined,
): string | undefined {
  if (circuit.state() !== 'closed') return 'cannot be reached'
  const last = state()
  // why: before the first probe an execution asks on its own connection, but lag it cannot ask for
  if (last?.usable === false) return 'is not in recovery, and ALLOW_PRIMARY is not set'
  return maxLagMs === undefined ? undefined : tooFarBehind(last, stateAgeMs(), maxLagMs)
}

/** Undefined if it is near enough. */
export function tooFarBehind(
  state: ReplicaState | undefined,
  ageMs: Milliseconds,
  maxLagMs: Milliseconds,
): string | undefined {
  const lag = lagMs(state, ageMs)
  if (lag <= maxLagMs) return undefined
  if (lag === Number.POSITIVE_INFINITY) return 'has an unknown lag'
  return `may be ${lag / 1000} s behind, where ${maxLagMs / 1000} s are allowed`
}
