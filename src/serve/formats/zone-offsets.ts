/** Offsets of a time zone from UTC, cached: asking Intl takes about 25 µs. */
import { LRUCache } from 'lru-cache'
import { offsetOf } from '../../definitions/calendar.ts'
import type { Milliseconds } from '../../model/terms.ts'

const QUARTER_HOUR_MS = 15 * 60 * 1000
const WEEK_MS = 7 * 24 * 60 * 60 * 1000

// why: data of organizations decide how many zones and instants are met; together some 30 MB at most
const MAX_ZONES = 200
/** Of one zone: about 80 years of weeks. */
const MAX_OFFSETS = 4096

/** By the week, or the quarter of an hour. */
const zones = new LRUCache<string, Map<number, number>>({ max: MAX_ZONES })

/** How many zones are cached, and how many offsets of one. */
export function cachedOffsets(timeZone: string): { zoneCount: number; offsetCount: number } {
  return { zoneCount: zones.size, offsetCount: zones.get(timeZone)?.size ?? 0 }
}

/** Answers whole minutes east of UTC. */
export function createOffsets(timeZone: string): (instantMs: Milliseconds) => number {
  const offsets = zones.get(timeZone) ?? new Map<number, number>()
  zones.set(timeZone, offsets)
  let lastWeek = Number.NaN
  let lastOffset = 0

  function offsetAt(instantMs: Milliseconds): number {
    const known = offsets.get(instantMs)
    if (known !== undefined) return known
    const offset = Math.round(offsetOf(instantMs, timeZone))
    if (offsets.size >= MAX_OFFSETS) offsets.clear()
    offsets.set(instantMs, offset)
    return offset
  }

  /** No zone changes its offset twice in a week, nor within a quarter of an hour. */
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
