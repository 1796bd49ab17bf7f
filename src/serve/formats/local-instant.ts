/** PostgreSQL's UTC text of an instant, as ISO 8601 with the organization's offset. Bytes to bytes. */
import type { Viewed } from '../../model/row-bytes.ts'
import type { WriteBytes } from './format.ts'
import { isDay, isDigit, isMonth, MINUS, readTwo, writeTwo } from './digits.ts'
import { createOffsets } from './zone-offsets.ts'

const DAY_MINUTES = 24 * 60
const DAY_MS = DAY_MINUTES * 60_000
/** Calendars repeat after 400 years. */
const ERA_MS = 146_097 * DAY_MS

const BLANK = 0x20
const PLUS = 0x2b
const POINT = 0x2e
const ZERO = 0x30
const COLON = 0x3a
const LETTER_T = 0x54

/** `2026-03-01`, ` 10:00:00`, then perhaps a fraction, and the zone. */
const DATE_LENGTH = 10
const FRACTION_AT = 19
const ZONE_LENGTH = '+00'.length

/** Writes `2026-03-01T13:00:00.5+03:00` for `2026-03-01 10:00:00.5+00`; -1 for `infinity`, a year past 9999. */
export function createLocalInstant(timeZone: string): WriteBytes {
  const offsetMinutes = createOffsets(timeZone)
  const dayOf = createDays()
  const writeDate = createDateWriter()

  return (from, start, end, to, at) => {
    const { bytes } = from
    if (!hasTime(bytes, start, end)) return -1
    const day = dayOf(from, start)
    if (Number.isNaN(day)) return -1
    const minutes = readTwo(bytes, start + 11) * 60 + readTwo(bytes, start + 14)
    const offset = offsetMinutes(day * DAY_MS + minutes * 60_000)
    // why: two digits of hours are all that an offset has; NaN is refused, too
    if (!(Math.abs(offset) < DAY_MINUTES)) return -1
    const localMinutes = minutes + offset
    const days = Math.floor(localMinutes / DAY_MINUTES)
    if (!writeDate(day + days, to.bytes, at)) return -1
    const minuteOfDay = localMinutes - days * DAY_MINUTES
    const hour = (minuteOfDay / 60) | 0
    to.bytes[at + DATE_LENGTH] = LETTER_T
    writeTwo(hour, to.bytes, at + 11)
    to.bytes[at + 13] = COLON
    writeTwo(minuteOfDay - hour * 60, to.bytes, at + 14)
    // why: offsets are whole minutes, so seconds and their fraction stay as they are
    at += 16
    for (let place = start + 16; place < end - ZONE_LENGTH; place += 1) {
      to.bytes[at++] = bytes[place]!
    }
    return writeOffset(offset, to.bytes, at)
  }
}

/** Answers days since 1970, NaN for no date. Rows in order of time have one date after another. */
function createDays(): (from: Viewed, at: number) => number {
  let first = 0
  let second = 0
  let third = 0
  let day = Number.NaN
  return ({ bytes, view }, at) => {
    const year = view.getInt32(at)
    const month = view.getInt32(at + 4)
    const rest = view.getInt16(at + 8)
    if (year === first && month === second && rest === third) return day
    if (!isMonth(bytes, at) || !isDay(bytes, at + 7)) return Number.NaN
    first = year
    second = month
    third = rest
    // why: Date.UTC takes a year below 100 for one of the last century
    const years = readTwo(bytes, at) * 100 + readTwo(bytes, at + 2) + 400
    const inEra = Date.UTC(years, readTwo(bytes, at + 5) - 1, readTwo(bytes, at + 8))
    day = (inEra - ERA_MS) / DAY_MS
    return day
  }
}

/**
 * Answers false for a day before the year 0 or past 9999. A `Date` would cost as much as all else of a row.
 * @see https://howardhinnant.github.io/date_algorithms.html#civil_from_days
 */
function createDateWriter(): (day: number, to: Buffer, at: number) => boolean {
  let lastDay = Number.NaN
  const date = Buffer.alloc(DATE_LENGTH, '-')

  function set(day: number): boolean {
    // Years begin in March here, so that the day that comes and goes is the last.
    const sinceEra = day + 719_468
    const era = Math.floor(sinceEra / 146_097)
    const dayOfEra = sinceEra - era * 146_097
    const leaps = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524)
    const yearOfEra = Math.floor((dayOfEra - leaps + Math.floor(dayOfEra / 146_096)) / 365)
    const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
    const dayOfYear = dayOfEra - 365 * yearOfEra - leapDays
    const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
    const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    if (year < 0 || year > 9999) return false
    const century = Math.floor(year / 100)
    writeTwo(century, date, 0)
    writeTwo(year - century * 100, date, 2)
    writeTwo(month, date, 5)
    writeTwo(dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1, date, 8)
    lastDay = day
    return true
  }

  return (day, to, at) => {
    if (day !== lastDay && !set(day)) return false
    for (let place = 0; place < DATE_LENGTH; place += 1) to[at + place] = date[place]!
    return true
  }
}

function writeOffset(offsetMinutes: number, to: Buffer, at: number): number {
  const minutes = Math.abs(offsetMinutes)
  const hours = (minutes / 60) | 0
  to[at] = offsetMinutes < 0 ? MINUS : PLUS
  const colon = writeTwo(hours, to, at + 1)
  to[colon] = COLON
  return writeTwo(minutes - hours * 60, to, colon + 1)
}

/** `.{10} \d\d:\d\d:\d\d(\.\d+)?\+00` */
function hasTime(from: Buffer, start: number, end: number): boolean {
  const fraction = start + FRACTION_AT
  const zone = end - ZONE_LENGTH
  return (
    zone >= fraction &&
    from[zone] === PLUS &&
    from[zone + 1] === ZERO &&
    from[zone + 2] === ZERO &&
    from[start + 10] === BLANK &&
    isDigit(from[start + 11]!) &&
    isDigit(from[start + 12]!) &&
    from[start + 13] === COLON &&
    isDigit(from[start + 14]!) &&
    isDigit(from[start + 15]!) &&
    from[start + 16] === COLON &&
    isDigit(from[start + 17]!) &&
    isDigit(from[start + 18]!) &&
    (zone === fraction || isFraction(from, fraction, zone))
  )
}

function isFraction(from: Buffer, start: number, end: number): boolean {
  if (from[start] !== POINT || end === start + 1) return false
  for (let place = start + 1; place < end; place += 1) if (!isDigit(from[place]!)) return false
  return true
}
