/** Days since 1970-01-01. Knows no time zone. A `Date` would cost as much as the rest of a row. */
import { MINUS, readTwo, readYear, writeTwo } from './digits.ts'

/** Days in 400 years, the cycle of the calendar. */
const ERA_DAYS = 146_097
/** Days from 0000-03-01 to 1970-01-01. Years begin in March here, so that the leap day is the last day. */
const EPOCH_DAY = 719_468

/** @param at offset of a date `\d{4}-\d\d-\d\d` */
export function readDayNumber(from: Buffer, at: number): number {
  return dayNumber(readYear(from, at), readTwo(from, at + 5), readTwo(from, at + 8))
}

/** @see https://howardhinnant.github.io/date_algorithms.html#days_from_civil */
export function dayNumber(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  return era * ERA_DAYS + yearOfEra * 365 + leapDays + dayOfYear - EPOCH_DAY
}

/**
 * Writes `2026-03-01`.
 * @returns false for a day before the year 0 or after 9999
 * @see https://howardhinnant.github.io/date_algorithms.html#civil_from_days
 */
export function writeDayNumber(number: number, to: Buffer, at: number): boolean {
  const sinceEra = number + EPOCH_DAY
  const era = Math.floor(sinceEra / ERA_DAYS)
  const dayOfEra = sinceEra - era * ERA_DAYS
  const leaps = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524)
  const yearOfEra = Math.floor((dayOfEra - leaps + Math.floor(dayOfEra / 146_096)) / 365)
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  const dayOfYear = dayOfEra - 365 * yearOfEra - leapDays
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  if (year < 0 || year > 9999) return false
  const century = Math.floor(year / 100)
  writeTwo(century, to, at)
  writeTwo(year - century * 100, to, at + 2)
  to[at + 4] = MINUS
  writeTwo(month, to, at + 5)
  to[at + 7] = MINUS
  writeTwo(dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1, to, at + 8)
  return true
}
