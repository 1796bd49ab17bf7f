/** Converts PostgreSQL's UTC instants to local times of the organization. */
import type { ByteView } from '../../model/row-bytes.ts'
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

export const DAY_MINUTES = 24 * 60
const LETTER_T = 0x54

interface LocalTime {
  /** From 1970-01-01 00:00; NaN for `infinity`, and for other texts than instants. */
  minutes: number
  /** East of UTC. */
  offsetMinutes: number
}

/** The returned function always gives the same object. */
export function createReadLocal(
  timeZone: string,
): (from: ByteView, start: number, end: number) => LocalTime {
  const offsetAt = createOffsets(timeZone)
  const local: LocalTime = { minutes: Number.NaN, offsetMinutes: 0 }
  return (from, start, end) => {
    const { bytes } = from
    local.minutes = Number.NaN
    if (!isUtcInstant(bytes, start, end)) return local
    const minutes = readDay(from, start, start + 10) * DAY_MINUTES + readMinutes(bytes, start + 11)
    if (Number.isNaN(minutes)) return local
    const offset = offsetAt(minutes * 60_000)
    // why: an offset has two digits of hours; also rejects NaN
    if (!(Math.abs(offset) < DAY_MINUTES)) return local
    local.minutes = minutes + offset
    local.offsetMinutes = offset
    return local
  }
}

/** Writes `2026-03-01T13:00:00.5+03:00` for `2026-03-01 10:00:00.5+00`; -1 for `infinity` or a year after 9999. */
export function createLocalInstant(timeZone: string): WriteBytes {
  const readLocal = createReadLocal(timeZone)
  return (from, start, end, { bytes: to }, at) => {
    const { minutes, offsetMinutes } = readLocal(from, start, end)
    if (Number.isNaN(minutes)) return -1
    const day = Math.floor(minutes / DAY_MINUTES)
    const isUtcDay = day === Math.floor((minutes - offsetMinutes) / DAY_MINUTES)
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
