/** How long executions are expected to take, by how long those like them took. Bounded in memory. */
import { LRUCache } from 'lru-cache'
import type { Milliseconds } from '../../model/terms.ts'

export interface ExecutionCosts {
  /** @param alike equal for executions that read about as much @see ReplicaRun */
  expect(definition: string, alike: string): Milliseconds
  measured(definition: string, alike: string, durationMs: Milliseconds): void
}

/** Of an execution that is like none before. */
const UNKNOWN_MS: Milliseconds = 100
/** Part that the newest measurement has in the average. */
const NEWEST = 0.3
/** Some 100 bytes each. */
const MAX_KINDS = 20_000

export function createExecutionCosts(): ExecutionCosts {
  const averages = new LRUCache<string, Milliseconds>({ max: MAX_KINDS })

  function add(key: string, durationMs: Milliseconds): void {
    const before = averages.get(key) ?? durationMs
    averages.set(key, before + NEWEST * (durationMs - before))
  }

  return {
    expect: (definition, alike) =>
      averages.get(`${definition} ${alike}`) ??
      // why: slow executions of another organization must not make those of this one too long to wait for
      Math.min(UNKNOWN_MS, averages.get(definition) ?? UNKNOWN_MS),
    measured(definition, alike, durationMs) {
      add(`${definition} ${alike}`, durationMs)
      add(definition, durationMs)
    },
  }
}
