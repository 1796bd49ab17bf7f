/** Converts PostgreSQL's UTC instants to local times of the organization. */
import { LRUCache } from 'lru-cache'
import { copyBytes, dateOf, isUtcInstant, MINUS, PLUS, readDay } from './digits.ts'
import { readMinutes, writeMinutes, ZONE_LENGTH } from './digits.ts'
import type { WriteBytes } from './format.ts'
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

const DAY_MINUTES = 24 * 60
const LETTER_T = 0x54

/** Writes `2026-03-01T13:00:00.5+03:00` for `2026-03-01 10:00:00.5+00`; -1 for `infinity` or a year after 9999. */
export function createLocalInstant(timeZone: string): WriteBytes {
  const offsetAt = createOffsets(timeZone)
  return (from, start, end, { bytes: to }, at) => {
    if (!isUtcInstant(from.bytes, start, end)) return -1
    const utcMinutes =
      readDay(from, start, start + 10) * DAY_MINUTES + readMinutes(from.bytes, start + 11)
    if (Number.isNaN(utcMinutes)) return -1
    const offsetMinutes = offsetAt(utcMinutes * 60_000)
    // why: an offset has two digits of hours; also rejects NaN
    if (!(Math.abs(offsetMinutes) < DAY_MINUTES)) return -1
    const minutes = utcMinutes + offsetMinutes
    const day = Math.floor(minutes / DAY_MINUTES)
    const isUtcDay = day === Math.floor(utcMinutes / DAY_MINUTES)
    const date = isUtcDay ? undefined : dateOf(day)
    if (isUtcDay) copyBytes(from.bytes, start, start + 10, to, at)
    else if (date === undefined) return -1
    else to.write(date, at)
    to[at + 10] = LETTER_T
    writeMinutes(minutes - day * DAY_MINUTES, to, at + 11)
    // why: offsets are whole minutes, so seconds and their fraction do not change
    const zone = copyBytes(from.bytes, start + 16, end - ZONE_LENGTH, to, at + 16)
    to[zone] = offsetMinutes < 0 ? MINUS : PLUS
    return writeMinutes(Math.abs(offsetMinutes), to, zone + 1)
  }
}
