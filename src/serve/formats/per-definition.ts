/** Caches what depends only on a definition and a time zone, or on another key of which there are few. */
import type { Definition, ReportDefinition } from '../../definitions/definition.ts'

/** why: organizations' data determine the number of zones */
const MAX_KEYS = 50

/** @param make is called once per definition and key */
export function perDefinition<T, D extends Definition = ReportDefinition, K = string>(
  make: (definition: D, key: K) => T,
): typeof make {
  const made = new WeakMap<D, Map<K, T>>()
  return (definition, key) => {
    const byKey = made.get(definition) ?? new Map<K, T>()
    const cached = byKey.get(key)
    if (cached !== undefined) return cached
    const value = make(definition, key)
    if (byKey.size >= MAX_KEYS) byKey.clear()
    made.set(definition, byKey.set(key, value))
    return value
  }
}
