/**
 * Dates and local times as Excel counts them: days since 1899-12-30, where 1900-02-29 is thought to have been.
 * @see ECMA-376 part 1, 18.17.4.1
 */
import type { Viewed } from '../../../model/row-bytes.ts'
import { viewOf } from '../../../model/row-bytes.ts'
import { dayNumber as unixDay } from '../day-number.ts'
import { copyBytes, isDay, isDigit, isMonth, POINT, readTwo, readYear } from '../digits.ts'
import type { WriteBytes } from '../format.ts'
import { createLocalInstant } from '../local-instant.ts'
import { writeWhole } from './digits.ts'

const DAY_MS = 86_400_000
/** Days from Excel's beginning to 1970. */
const UNIX_DAY = 25_569
/** 1900-03-01; before it programs do not agree on the day. */
const FIRST_DAY = 61
const FIRST_YEAR = 1900

const BLANK = 0x20

/** Milliseconds of a day as its fraction; a digit less, and they would not be found again. */
const FRACTION_DIGITS = 11
const FRACTIONS_OF_DAY = 1e11

/** The day of `\d{4}-\d\d-\d\d`; NaN where it is none, -1 where Excel has no number for it. */
export function dayNumber(from: Buffer, start: number): number {
  if (!isMonth(from, start) || !isDay(from, start + 7)) return Number.NaN
  return numberOf(from, start, readTwo(from, start + 8))
}

/** The first day of `\d{4}-\d\d`; else as `dayNumber`. */
export function monthNumber(from: Buffer, start: number): number {
  return isMonth(from, start) ? numberOf(from, start, 1) : Number.NaN
}

function numberOf(from: Buffer, start: number, day: number): number {
  const year = readYear(from, start)
  const month = readTwo(from, start + 5)
  if (month < 1 || month > 12 || day < 1 || day > 31) return Number.NaN
  if (year < FIRST_YEAR) return -1
  const number = unixDay(year, month, day) + UNIX_DAY
  return number < FIRST_DAY ? -1 : number
}

/** `31.12.1899` */
export function writeDayFirst(from: Buffer, start: number, to: Buffer, at: number): number {
  const year = copyBytes(from, start + 8, start + 10, to, at)
  to[year] = POINT
  return writeMonthFirst(from, start, to, year + 1)
}

/** `12.1899` */
export function writeMonthFirst(from: Buffer, start: number, to: Buffer, at: number): number {
  const year = copyBytes(from, start + 5, start + 7, to, at)
  to[year] = POINT
  return copyBytes(from, start, start + 4, to, year + 1)
}

/** A local time, of which milliseconds are kept: Excel knows nothing shorter. */
export interface LocalTime {
  /** -1 where Excel has no number for it. */
  readonly day: number
  readonly ms: number
}

export interface LocalTimes {
  /** Undefined where the field is no instant; one object is used for all. */
  read(from: Viewed, start: number, end: number): LocalTime | undefined
  /** What was read last, as `31.12.1899 23:59:59.5`. */
  writeText(to: Buffer, at: number): number
}

/** `2026-03-01T13:00:00`, and as much of a fraction as PostgreSQL has; what is longer does not matter. */
const LOCAL_LENGTH = 19
const ROOM = 64

export function createLocalTimes(timeZone: string): LocalTimes {
  const writeInstant: WriteBytes = createLocalInstant(timeZone)
  const bytes = Buffer.alloc(ROOM)
  const local: Viewed = { bytes, view: viewOf(bytes) }
  const time = { day: 0, ms: 0 }

  return {
    read(from, start, end) {
      if (writeInstant(from, start, end, local, 0) < 0) return undefined
      const day = dayNumber(bytes, 0)
      if (Number.isNaN(day)) return undefined
      const seconds = (readTwo(bytes, 11) * 60 + readTwo(bytes, 14)) * 60 + readTwo(bytes, 17)
      time.day = day
      time.ms = seconds * 1000 + millisecondsAt(bytes)
      return time
    },
    writeText(to, at) {
      const blank = writeDayFirst(bytes, 0, to, at)
      to[blank] = BLANK
      return copyBytes(bytes, 11, fractionEnd(bytes), to, blank + 1)
    },
  }
}

function millisecondsAt(local: Buffer): number {
  const end = fractionEnd(local)
  let ms = 0
  for (let place = LOCAL_LENGTH + 1, worth = 100; place < end && worth >= 1; place += 1) {
    ms += (local[place]! - 0x30) * worth
    worth /= 10
  }
  return ms
}

function fractionEnd(local: Buffer): number {
  if (local[LOCAL_LENGTH] !== POINT) return LOCAL_LENGTH
  let place = LOCAL_LENGTH + 1
  while (place < ROOM && isDigit(local[place]!)) place += 1
  return place
}

/** `46082.54166666667` */
export function writeTime({ day, ms }: LocalTime, to: Buffer, at: number): number {
  const point = writeWhole(day, to, at)
  if (ms === 0) return point
  to[point] = POINT
  const fraction = Math.round((ms / DAY_MS) * FRACTIONS_OF_DAY)
  return writeWhole(fraction, to, point + 1, FRACTION_DIGITS)
}
