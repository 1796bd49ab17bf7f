/** Converts PostgreSQL's UTC instants to local times of the organization. */
import { dateOf, readDay } from './day-number.ts'
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
    else copyBytes(date, 0, date.length, to, at)
    to[at + 10] = LETTER_T
    writeMinutes(minutes - day * DAY_MINUTES, to, at + 11)
    // why: offsets are whole minutes, so seconds and their fraction do not change
    const zone = copyBytes(from.bytes, start + 16, end - ZONE_LENGTH, to, at + 16)
    to[zone] = offsetMinutes < 0 ? MINUS : PLUS
    return writeMinutes(Math.abs(offsetMinutes), to, zone + 1)
  }
}
