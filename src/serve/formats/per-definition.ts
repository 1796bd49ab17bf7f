/** Caches what depends only on a definition and a time zone. */
import type { Definition, ReportDefinition } from '../../definitions/definition.ts'

/** why: organizations' data determine the number of zones */
const MAX_ZONES = 50

/** @param make is called once per definition and time zone, or other text of which there are few */
export function perDefinition<T, D extends Definition = ReportDefinition>(
  make: (definition: D, timeZone: string) => T,
): typeof make {
  const made = new WeakMap<D, Map<string, T>>()
  return (definition, timeZone) => {
    const byZone = made.get(definition) ?? new Map<string, T>()
    const cached = byZone.get(timeZone)
    if (cached !== undefined) return cached
    const value = make(definition, timeZone)
    if (byZone.size >= MAX_ZONES) byZone.clear()
    made.set(definition, byZone.set(timeZone, value))
    return value
  }
}
