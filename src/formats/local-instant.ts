/** PostgreSQL's UTC text of an instant, as ISO 8601 with the organization's offset. */
import { offsetOf } from '../definitions/calendar.ts'

const QUARTER_HOUR_MS = 15 * 60 * 1000
const WEEK_MS = 7 * 24 * 60 * 60 * 1000
const UTC_TEXT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?\+00$/

/** Asking Intl takes about 25 µs, so a zone's offsets are kept: by the week, or the quarter of an hour. */
const zones = new Map<string, Map<number, number>>()

/**
 * Answers a function from `2026-03-01 10:00:00.5+00` to `2026-03-01T13:00:00.5+03:00`, undefined for
 * any other text (`infinity`, a year past 9999).
 */
export function createLocalInstant(timeZone: string): (utcText: string) => string | undefined {
  const offsets = zones.get(timeZone) ?? new Map<number, number>()
  zones.set(timeZone, offsets)

  function offsetAt(instantMs: number): number {
    const offset = offsets.get(instantMs) ?? Math.round(offsetOf(instantMs, timeZone))
    offsets.set(instantMs, offset)
    return offset
  }

  /** No zone changes its offset twice in a week, nor within a quarter of an hour. */
  function offsetMinutes(instantMs: number): number {
    const week = Math.floor(instantMs / WEEK_MS) * WEEK_MS
    const offset = offsetAt(week)
    if (offset === offsetAt(week + WEEK_MS)) return offset
    return offsetAt(Math.floor(instantMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS)
  }

  return utcText => {
    const [matched, date, time, fraction = ''] = UTC_TEXT.exec(utcText) ?? []
    if (matched === undefined) return undefined
    const instantMs = Date.parse(`${date}T${time}Z`)
    const offset = offsetMinutes(instantMs)
    const local = new Date(instantMs + offset * 60_000).toISOString().slice(0, 19)
    return `${local}${fraction}${offsetText(offset)}`
  }
}

function offsetText(offsetMinutes: number): string {
  const minutes = Math.abs(offsetMinutes)
  return `${offsetMinutes < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
