/** One field that is no text, as Excel reads it where people write a decimal comma. Bytes to bytes. */
import type { Viewed } from '../../../model/row-bytes.ts'
import type { ColumnType } from '../../../model/terms.ts'
import { MINUS, POINT, ZERO } from '../digits.ts'
import type { WriteBytes } from '../format.ts'
import { createWritePlain, writeInteger } from '../plain-field.ts'

const BLANK = 0x20
const COMMA = 0x2c

/**
 * Digits pass through as they are. Excel keeps fifteen of them: what is longer stands in the file in full, and
 * is rounded by Excel; as text it would be in no sum.
 */
export function createWriteExcel(type: Exclude<ColumnType, 'text'>, timeZone: string): WriteBytes {
  const write = createWritePlain(type, timeZone)
  switch (type) {
    case 'integer':
      return write
    case 'money':
      return writeRoubles
    case 'number':
    case 'percent':
      return rewritten(write, withComma)
    case 'date':
      return rewritten(write, dayFirst)
    case 'month':
      return rewritten(write, monthFirst)
    case 'datetime':
      return rewritten(write, localTime)
  }
}

type Rewrite = (to: Viewed, at: number, end: number) => number

/** Writes the field, and again where it stands. @param rewrite answers where it ends */
function rewritten(write: WriteBytes, rewrite: Rewrite): WriteBytes {
  return (from, start, end, to, at) => {
    const written = write(from, start, end, to, at)
    return written < 0 ? -1 : rewrite(to, at, written)
  }
}

/** `-1234,50` for the kopecks `-123450`, without grouping, so that it is a number. */
const writeRoubles: WriteBytes = (from, start, end, to, at) => {
  const { bytes } = to
  let written = writeInteger(from, start, end, to, at)
  if (written < 0) return -1
  const first = from.bytes[start] === MINUS ? at + 1 : at
  while (written - first < 3) {
    bytes.copyWithin(first + 1, first, written)
    bytes[first] = ZERO
    written += 1
  }
  bytes[written] = bytes[written - 1]!
  bytes[written - 1] = bytes[written - 2]!
  bytes[written - 2] = COMMA
  return written + 1
}

function withComma({ bytes }: Viewed, at: number, end: number): number {
  for (let place = at; place < end; place += 1) if (bytes[place] === POINT) bytes[place] = COMMA
  return end
}

/**
 * `31.12.2026 23:59:59` by the organization's clock, whatever its offset was then; parts of a second are left out.
 */
function localTime(to: Viewed, at: number): number {
  const time = dayFirst(to, at)
  to.bytes[time] = BLANK
  return time + ' 23:59:59'.length
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
