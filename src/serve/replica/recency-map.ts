/** Values by key in the order of their last use; those unused for long are dropped. */
import type { Clock, Milliseconds } from '../../model/terms.ts'

export interface RecencyMap<V> {
  get(key: string): V | undefined
  has(key: string): boolean
  /** It is used now. */
  use(key: string, value: V): void
  /** Drops what was not used for `idleMs`; what must stay counts as used. Constant time for each dropped one. */
  prune(): void
  size(): number
  values(): V[]
}

export function createRecencyMap<V>(options: {
  readonly idleMs: Milliseconds
  readonly mustStay: (value: V) => boolean
  readonly now: Clock
}): RecencyMap<V> {
  const { idleMs, mustStay, now } = options
  const used = new Map<string, { readonly value: V; readonly usedAt: Milliseconds }>()

  function use(key: string, value: V): void {
    used.delete(key)
    used.set(key, { value, usedAt: now() })
  }

  return {
    get: key => used.get(key)?.value,
    has: key => used.has(key),
    use,
    prune() {
      const before = now() - idleMs
      for (const [key, { value, usedAt }] of used) {
        if (usedAt > before) return
        if (mustStay(value)) use(key, value)
        else used.delete(key)
      }
    },
    size: () => used.size,
    values: () => Array.from(used.values(), ({ value }) => value),
  }
}
