/** Requests that wait for a key look-up. Recently valid keys go first, unknown keys after them. */
import { LRUCache } from 'lru-cache'
import type { KeyHash } from './api-key.ts'

/** Keys in one look-up. */
export const MAX_BATCH_KEYS = 500
/** Waiting requests with unknown keys; more are rejected at once. */
export const MAX_WAITING_UNKNOWN = 5000
/** About 2 MB of hashes. */
const MAX_RECENTLY_VALID = 20_000

/** All requests that wait for one key. */
interface Waiting {
  readonly keyHash: KeyHash
  readonly foundCallbacks: readonly unknown[]
}

export function createKeyQueue<W extends Waiting>() {
  let knownKeys = new Map<KeyHash, W>()
  let unknownKeys = new Map<KeyHash, W>()
  let unknownCount = 0
  /** Affects only the order of look-ups. */
  const recentlyValid = new LRUCache<KeyHash, true>({ max: MAX_RECENTLY_VALID })

  function remove(waiting: W): void {
    const { keyHash, foundCallbacks } = waiting
    if (knownKeys.get(keyHash) === waiting) knownKeys.delete(keyHash)
    if (unknownKeys.get(keyHash) !== waiting) return
    unknownKeys.delete(keyHash)
    unknownCount -= foundCallbacks.length
  }

  return {
    remove,
    /** Keys that may be in the next batch. */
    size: (includesUnknown: boolean): number =>
      knownKeys.size + (includesUnknown ? unknownKeys.size : 0),
    takeBatch(includesUnknown: boolean): W[] {
      const batch = [...knownKeys.values()].slice(0, MAX_BATCH_KEYS)
      knownKeys = withoutFirst(knownKeys, batch.length)
      if (!includesUnknown) return batch
      const rest = [...unknownKeys.values()].slice(0, MAX_BATCH_KEYS - batch.length)
      unknownKeys = withoutFirst(unknownKeys, rest.length)
      for (const { foundCallbacks } of rest) unknownCount -= foundCallbacks.length
      return [...batch, ...rest]
    },
    /** Adds a request for a key. Undefined if too many unknown keys wait. */
    join(keyHash: KeyHash, arrive: (keyHash: KeyHash) => W): W | undefined {
      const waitingKnown = knownKeys.get(keyHash)
      if (waitingKnown) return waitingKnown
      const waitingUnknown = unknownKeys.get(keyHash)
      if (recentlyValid.has(keyHash)) {
        if (waitingUnknown) remove(waitingUnknown)
        const waiting = waitingUnknown ?? arrive(keyHash)
        knownKeys.set(keyHash, waiting)
        return waiting
      }
      if (unknownCount >= MAX_WAITING_UNKNOWN) return undefined
      unknownCount += 1
      if (waitingUnknown) return waitingUnknown
      const waiting = arrive(keyHash)
      unknownKeys.set(keyHash, waiting)
      return waiting
    },
    lookedUp(keyHash: KeyHash, isValid: boolean): void {
      if (isValid) recentlyValid.set(keyHash, true)
      else recentlyValid.delete(keyHash)
    },
  }
}

/**
 * why: a new map, since V8 links the old tables of a map that shrinks by `delete`. Garbage collection then
 * promotes all entries that were ever in them (measured: hits took 1.8 times their CPU time).
 */
function withoutFirst<W>(queue: Map<KeyHash, W>, count: number): Map<KeyHash, W> {
  return count === queue.size ? new Map() : new Map([...queue].slice(count))
}
