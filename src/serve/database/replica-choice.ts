/**
 * Ranks replicas for an execution: the least busy first, and those far behind last. A replica is usable if its circuit
 * breaker is closed, it is in recovery or allowed as primary, and its lag is within the limit. Knows no pg.
 */
import type { ReplicaState } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { wordsOf } from './fault.ts'
import { lagMs } from './probe.ts'
import { refusalOf } from './session-settings.ts'

/** The known state of a replica. */
export interface Candidate {
  /** `host:port` */
  readonly name: string
  readonly circuit: Pick<CircuitBreaker, 'state' | 'reason'>
  /** State at the last probe; undefined before the first. */
  readonly state: () => ReplicaState | undefined
  readonly stateAgeMs: () => Milliseconds
  /** Executions per slot. */
  readonly load: () => number
}

/** The best first: those within `reportsMaxLagMs` by load, then the others by lag. */
export function usableReplicas<C extends Candidate>(
  candidates: readonly C[],
  maxLagMs: Milliseconds | undefined,
  options: { readonly reportsMaxLagMs: Milliseconds; readonly random: () => number },
): C[] {
  const lateMs = ({ state, stateAgeMs }: C): Milliseconds => {
    const lag = lagMs(state(), stateAgeMs())
    return lag <= options.reportsMaxLagMs ? 0 : Math.min(lag, Number.MAX_VALUE)
  }
  return candidates
    .filter(candidate => unusableReason(candidate, maxLagMs) === undefined)
    .map(candidate => ({
      candidate,
      lateMs: lateMs(candidate),
      load: candidate.load(),
      lot: options.random(),
    }))
    .toSorted((a, b) => a.lateMs - b.lateMs || a.load - b.load || a.lot - b.lot)
    .map(({ candidate }) => candidate)
}

/** A state that is older is late. */
const LATE_MS: Milliseconds = 3000

/** Why it cannot take an execution, for the log; undefined if it can. */
export function unusableReason(
  { circuit, state, stateAgeMs }: Omit<Candidate, 'load'>,
  maxLagMs?: Milliseconds,
): string | undefined {
  const last = state()
  if (circuit.state() !== 'closed') {
    const refusal = refusalOf(circuit.reason())
    if (refusal !== undefined) return `refused: ${refusal}`
    if (last === undefined) return NEVER_REACHED
    // why: the probe has its own role and connection, which may work
    if (stateAgeMs() >= LATE_MS) return `cannot be reached, ${ageText(stateAgeMs())}`
    if (last.usable) return `no connection for reports: ${wordsOf(circuit.reason())}`
  }
  // why: without a probe an execution checks recovery on its own connection, but it cannot check the lag
  if (last?.usable === false) return 'is not in recovery, and ALLOW_PRIMARY is not set'
  return lagProblem(last, stateAgeMs(), maxLagMs)
}

/** Why it cannot take an execution or its state is not known, for `/readyz`. */
export function degradedReason(candidate: Omit<Candidate, 'load'>): string | undefined {
  const reason = unusableReason(candidate)
  if (reason !== undefined) return reason
  if (candidate.state() === undefined) return NEVER_REACHED
  return candidate.stateAgeMs() < LATE_MS ? undefined : ageText(candidate.stateAgeMs())
}

const NEVER_REACHED = 'not reached since the start'

function ageText(ageMs: Milliseconds): string {
  return `last response ${Math.round(ageMs / 1000)} s ago`
}

/** Undefined if the data are new enough. */
export function lagProblem(
  state: ReplicaState | undefined,
  ageMs: Milliseconds,
  maxLagMs: Milliseconds = Number.POSITIVE_INFINITY,
): string | undefined {
  const lag = lagMs(state, ageMs)
  if (lag <= maxLagMs) return undefined
  if (lag === Number.POSITIVE_INFINITY) return 'has an unknown lag'
  return `may be ${lag / 1000} s behind, where ${maxLagMs / 1000} s are allowed`
}
