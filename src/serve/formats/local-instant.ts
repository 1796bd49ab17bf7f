/** Converts PostgreSQL's UTC instants to ISO 8601 with the organization's offset. Bytes to bytes. */
import { dateOf, dayNumber } from './day-number.ts'
import {
  copyBytes,
  isUtcInstant,
  MINUS,
  PLUS,
  readMinutes,
  writeMinutes,
  ZONE_LENGTH,
} from './digits.ts'
import type { WriteBytes } from './format.ts'
import { createOffsets } from './zone-offsets.ts'

const DAY_MINUTES = 24 * 60
const DAY_MS = DAY_MINUTES * 60_000

const LETTER_T = 0x54

/** Writes `2026-03-01T13:00:00.5+03:00` for `2026-03-01 10:00:00.5+00`; -1 for `infinity` or a year after 9999. */
export function createLocalInstant(timeZone: string): WriteBytes {
  const offsetMinutes = createOffsets(timeZone)
  const dayOf = createDayReader()

  return ({ bytes: from, view }, start, end, { bytes: to }, at) => {
    if (!isUtcInstant(from, start, end)) return -1
    const day = dayOf(from, view, start)
    if (Number.isNaN(day)) return -1
    const minutes = readMinutes(from, start + 11)
    const offset = offsetMinutes(day * DAY_MS + minutes * 60_000)
    // why: an offset has two digits of hours; also rejects NaN
    if (!(Math.abs(offset) < DAY_MINUTES)) return -1
    const localMinutes = minutes + offset
    const days = Math.floor(localMinutes / DAY_MINUTES)
    const date = days === 0 ? undefined : dateOf(day + days)
    if (days === 0) copyBytes(from, start, start + 10, to, at)
    else if (date === undefined) return -1
    else copyBytes(date, 0, date.length, to, at)
    to[at + 10] = LETTER_T
    writeMinutes(localMinutes - days * DAY_MINUTES, to, at + 11)
    // why: offsets are whole minutes, so seconds and their fraction do not change
    const zone = copyBytes(from, start + 16, end - ZONE_LENGTH, to, at + 16)
    to[zone] = offset < 0 ? MINUS : PLUS
    return writeMinutes(Math.abs(offset), to, zone + 1)
  }
}

/** Caches the last date: rows are often sorted by time, and a comparison takes a tenth of the time of `dayNumber`. */
function createDayReader(): (from: Buffer, view: DataView, at: number) => number {
  let year = 0
  let month = 0
  let rest = 0
  let day = Number.NaN
  return (from, view, at) => {
    const isSameDate =
      view.getInt32(at) === year &&
      view.getInt32(at + 4) === month &&
      view.getInt16(at + 8) === rest
    if (isSameDate) return day
    year = view.getInt32(at)
    month = view.getInt32(at + 4)
    rest = view.getInt16(at + 8)
    day = dayNumber(from.toString('latin1', at, at + 10))
    return day
  }
}
