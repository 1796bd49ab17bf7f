/** PostgreSQL's UTC text of an instant, as ISO 8601 with the organization's offset. Bytes to bytes. */
import { offsetOf } from '../definitions/calendar.ts'

const QUARTER_HOUR_MS = 15 * 60 * 1000
const WEEK_MS = 7 * 24 * 60 * 60 * 1000
const DAY_MINUTES = 24 * 60
const DAY_MS = 24 * 60 * 60 * 1000
/** Calendars repeat after 400 years. */
const ERA_MS = 146_097 * DAY_MS

/** Asking Intl takes about 25 µs, so a zone's offsets are kept: by the week, or the quarter of an hour. */
const zones = new Map<string, Map<number, number>>()

/** `2026-03-01 10:00:00`, then a fraction, then `+00`. */
const SHAPE = 'dddd-dd-dd dd:dd:dd'
const [MINUS, PLUS, POINT, COLON, ZERO, LETTER_T] = Buffer.from('-+.:0T') as unknown as [
  number,
  number,
  number,
  number,
  number,
  number,
]

/**
 * Answers a function that writes `2026-03-01T13:00:00.5+03:00` for `2026-03-01 10:00:00.5+00` and
 * answers where that ends; -1 for any other text (`infinity`, a year past 9999).
 */
export function createLocalInstant(timeZone: string) {
  const offsetMinutes = createOffsets(timeZone)
  /** Rows in order of time have one date after another. */
  let lastDay = Number.NaN
  const lastDate = Buffer.alloc(10)

  return (from: Buffer, start: number, end: number, to: Buffer, at: number): number => {
    if (!hasShape(from, start, end)) return -1
    const year = twoDigits(from, start) * 100 + twoDigits(from, start + 2)
    const month = twoDigits(from, start + 5)
    // why: Date.UTC takes a year below 100 for one of the last century
    const dayMs = Date.UTC(year + 400, month - 1, twoDigits(from, start + 8)) - ERA_MS
    const minutes = twoDigits(from, start + 11) * 60 + twoDigits(from, start + 14)
    const instantMs = dayMs + minutes * 60_000 + twoDigits(from, start + 17) * 1000
    const offset = offsetMinutes(instantMs)
    const localMinutes = minutes + offset
    const days = Math.floor(localMinutes / DAY_MINUTES)
    const localDay = dayMs / DAY_MS + days
    if (localDay !== lastDay) {
      const date = new Date(localDay * DAY_MS).toISOString()
      if (date.length !== 24) return -1
      lastDate.write(date, 0, 10, 'latin1')
      lastDay = localDay
    }
    for (let place = 0; place < 10; place += 1) to[at++] = lastDate[place]!
    const minuteOfDay = localMinutes - days * DAY_MINUTES
    to[at++] = LETTER_T
    at = writeTwoDigits((minuteOfDay / 60) | 0, to, at)
    to[at++] = COLON
    at = writeTwoDigits(minuteOfDay % 60, to, at)
    // why: offsets are whole minutes, so seconds and their fraction stay as they are
    for (let place = start + 16; place < end - 3; place += 1) to[at++] = from[place]!
    const away = Math.abs(offset)
    to[at++] = offset < 0 ? MINUS : PLUS
    at = writeTwoDigits((away / 60) | 0, to, at)
    to[at++] = COLON
    return writeTwoDigits(away % 60, to, at)
  }
}

function createOffsets(timeZone: string): (instantMs: number) => number {
  const offsets = zones.get(timeZone) ?? new Map<number, number>()
  zones.set(timeZone, offsets)
  let lastWeek = Number.NaN
  let lastOffset = 0

  function offsetAt(instantMs: number): number {
    const offset = offsets.get(instantMs) ?? Math.round(offsetOf(instantMs, timeZone))
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

/** `\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00` */
function hasShape(from: Buffer, start: number, end: number): boolean {
  const zone = end - 3
  const fraction = start + SHAPE.length
  if (zone < fraction) return false
  for (let place = 0; place < SHAPE.length; place += 1) {
    const byte = from[start + place]!
    const wanted = SHAPE_BYTES[place]!
    if (wanted === LETTER_D ? !isDigit(byte) : byte !== wanted) return false
  }
  if (from[zone] !== PLUS || from[zone + 1] !== ZERO || from[zone + 2] !== ZERO) return false
  if (zone === fraction) return true
  if (from[fraction] !== POINT || zone === fraction + 1) return false
  for (let place = fraction + 1; place < zone; place += 1) {
    if (!isDigit(from[place]!)) return false
  }
  return true
}

const SHAPE_BYTES = Buffer.from(SHAPE)
const LETTER_D = 0x64

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function twoDigits(from: Buffer, at: number): number {
  return (from[at]! - ZERO) * 10 + from[at + 1]! - ZERO
}

function writeTwoDigits(value: number, to: Buffer, at: number): number {
  to[at++] = ZERO + ((value / 10) | 0)
  to[at++] = ZERO + (value % 10)
  return at
}
