/** Writes dates in the Russian format: `31.12.2026`, `12.2026`, `31.12.2026 23:59:59`. Bytes to bytes. */
import type { ByteView } from '../../model/row-bytes.ts'
import type { DateType } from './date-range.ts'
import { BLANK, POINT } from './digits.ts'
import type { WriteBytes } from './format.ts'
import { createWritePlain } from './plain-field.ts'

/** Instants are written as local time of the time zone. */
export function createWriteDayFirst(type: DateType, timeZone: string): WriteBytes {
  const write = createWritePlain(type, timeZone)
  return (from, start, end, to, at) => {
    const written = write(from, start, end, to, at)
    if (written < 0) return -1
    if (type === 'month') return monthFirst(to, at)
    const time = dayFirst(to, at)
    if (type === 'date') return time
    to.bytes[time] = BLANK
    return time + ' 23:59:59'.length
  }
}

/** Replaces `2026-12-31` with `31.12.2026`. @returns its end */
function dayFirst({ bytes, view }: ByteView, at: number): number {
  const year = view.getInt32(at)
  const month = view.getInt16(at + 5)
  view.setInt16(at, view.getInt16(at + 8))
  bytes[at + 2] = POINT
  view.setInt16(at + 3, month)
  bytes[at + 5] = POINT
  view.setInt32(at + 6, year)
  return at + 10
}

/** Replaces `2026-12` with `12.2026`. @returns its end */
function monthFirst({ bytes, view }: ByteView, at: number): number {
  const year = view.getInt32(at)
  view.setInt16(at, view.getInt16(at + 5))
  bytes[at + 2] = POINT
  view.setInt32(at + 3, year)
  return at + 7
}
