/** Cached offsets of time zones from UTC: a call of Intl takes about 25 µs. */
import { LRUCache } from 'lru-cache'
import { utcOffsetOf } from '../../definitions/calendar.ts'
import type { Milliseconds } from '../../model/terms.ts'

const QUARTER_HOUR_MS = 15 * 60 * 1000
const WEEK_MS = 7 * 24 * 60 * 60 * 1000

// why: organizations' data determine the number of zones and instants; the limits allow about 30 MB
const MAX_ZONES = 200
/** Per zone: about 80 years of weeks. */
const MAX_OFFSETS = 4096

/** Zone to offsets by the start of a week or quarter of an hour. */
const zones = new LRUCache<string, Map<number, number>>({ max: MAX_ZONES })

/** Number of cached zones, and of cached offsets of this one. */
export function cachedOffsets(timeZone: string): { zoneCount: number; offsetCount: number } {
  return { zoneCount: zones.size, offsetCount: zones.get(timeZone)?.size ?? 0 }
}

/** The returned function gives whole minutes east of UTC. */
export function createOffsets(timeZone: string): (instantMs: Milliseconds) => number {
  const offsets = zones.get(timeZone) ?? new Map<number, number>()
  zones.set(timeZone, offsets)
  let lastWeek = Number.NaN
  let lastOffset = 0

  function offsetAt(instantMs: Milliseconds): number {
    const cached = offsets.get(instantMs)
    if (cached !== undefined) return cached
    const offset = Math.round(utcOffsetOf(instantMs, timeZone))
    if (offsets.size >= MAX_OFFSETS) offsets.clear()
    offsets.set(instantMs, offset)
    return offset
  }

  /** why: no zone changes its offset twice in a week, or within a quarter of an hour */
  return instantMs => {
    const week = Math.floor(instantMs / WEEK_MS) * WEEK_MS
    if (week === lastWeek) return lastOffset
    const offset = offsetAt(week)
    if (offset !== offsetAt(week + WEEK_MS)) {
      return offsetAt(Math.floor(instantMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS)
    }
    lastWeek = week
    lastOffset = offset
    return offset
  }
}
