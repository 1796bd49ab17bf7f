/** What a probe saw of a server, for whoever has a connection of its own there. Knows no pg. */
import type { ReplicaState } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { Server } from './pool.ts'
import type { Probe } from './probe.ts'

/** A server that is probed. */
export interface Watched {
  /** What was seen last; undefined until something was. */
  readonly state: () => ReplicaState | undefined
  /** How long ago that was at most; Infinity until something was seen. */
  readonly stateAgeMs: () => Milliseconds
  /** Resolves once a look that has begun after this call has ended, well or not, or after so long. */
  readonly lookAnew: (withinMs: Milliseconds) => Promise<void>
}

/** As a probe sees it, which looks on unless it is stopped. */
export function watchedBy(probe: Pick<Probe, 'state' | 'ageMs' | 'lookAnew'>): Watched {
  return {
    state: () => probe.state(),
    stateAgeMs: () => probe.ageMs(),
    lookAnew: withinMs => probe.lookAnew(withinMs),
  }
}

/**
 * What was seen since the connection was made. A standby that crashes comes back as it was at its last
 * restartpoint, and shows what it has shown before only once it has replayed that again: what was seen
 * before does not hold then. A connection outlives no crash.
 */
export function seenSince(
  { ageMs, isPooled }: Server,
  { state, stateAgeMs }: Pick<Watched, 'state' | 'stateAgeMs'>,
): ReplicaState | undefined {
  // why: a pooler's connection is made once, and says nothing of the server behind it
  if (isPooled) return state()
  // why: asked in this order, what passes between the two makes the look older
  const lastedMs = ageMs()
  return stateAgeMs() <= lastedMs ? state() : undefined
}
