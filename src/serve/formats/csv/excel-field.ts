/** One field that is no text, as Excel reads it where people write a decimal comma. Bytes to bytes. */
import type { Viewed } from '../../../model/row-bytes.ts'
import type { ColumnType } from '../../../model/terms.ts'
import { MINUS } from '../digits.ts'
import type { WriteBytes } from '../format.ts'
import { createLocalInstant } from '../local-instant.ts'
import { writeDate, writeDecimal, writeInteger, writeMonth } from '../plain-field.ts'

const BLANK = 0x20
const COMMA = 0x2c
const POINT = 0x2e
const ZERO = 0x30

/**
 * Digits pass through as they are. Excel keeps fifteen of them: what is longer stands in the file in full, and
 * is rounded by Excel; as text it would be in no sum.
 */
export function createWriteExcel(type: Exclude<ColumnType, 'text'>, timeZone: string): WriteBytes {
  switch (type) {
    case 'integer':
      return (from, start, end, to, at) => writeInteger(from.bytes, start, end, to.bytes, at)
    case 'money':
      return (from, start, end, to, at) => writeRoubles(from.bytes, start, end, to.bytes, at)
    case 'number':
    case 'percent':
      return (from, start, end, to, at) => writeDecimal(from.bytes, start, end, to.bytes, at, COMMA)
    case 'date':
      return (from, start, end, to, at) =>
        writeDate(from.bytes, start, end, to.bytes, at) < 0 ? -1 : dayFirst(to, at)
    case 'month':
      return (from, start, end, to, at) =>
        writeMonth(from.bytes, start, end, to.bytes, at) < 0 ? -1 : monthFirst(to, at)
    case 'datetime':
      return createWriteTime(timeZone)
  }
}

/** `-1234,50` for the kopecks `-123450`, without grouping, so that it is a number. */
function writeRoubles(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  let written = writeInteger(from, start, end, to, at)
  if (written < 0) return -1
  const first = from[start] === MINUS ? at + 1 : at
  while (written - first < 3) {
    to.copyWithin(first + 1, first, written)
    to[first] = ZERO
    written += 1
  }
  to[written] = to[written - 1]!
  to[written - 1] = to[written - 2]!
  to[written - 2] = COMMA
  return written + 1
}

/** `31.12.2026 23:59:59` by the organization's clock, whatever its offset was then; parts of a second are left out. */
function createWriteTime(timeZone: string): WriteBytes {
  const writeInstant = createLocalInstant(timeZone)
  return (from, start, end, to, at) => {
    if (writeInstant(from, start, end, to, at) < 0) return -1
    const time = dayFirst(to, at)
    to.bytes[time] = BLANK
    return time + ' 23:59:59'.length
  }
}

/** Makes `31.12.2026` of the `2026-12-31` that stands there, answers where it ends. */
function dayFirst({ bytes, view }: Viewed, at: number): number {
  const year = view.getInt32(at)
  const month = view.getInt16(at + 5)
  view.setInt16(at, view.getInt16(at + 8))
  bytes[at + 2] = POINT
  view.setInt16(at + 3, month)
  bytes[at + 5] = POINT
  view.setInt32(at + 6, year)
  return at + 10
}

/** Makes `12.2026` of the `2026-12` that stands there. */
function monthFirst({ bytes, view }: Viewed, at: number): number {
  const year = view.getInt32(at)
  view.setInt16(at, view.getInt16(at + 5))
  bytes[at + 2] = POINT
  view.setInt32(at + 3, year)
  return at + 7
}
