/** Days since 1970-01-01 of dates. Cached, because parsing and formatting a date takes as long as a row. */
import { isDate } from '../../definitions/calendar.ts'
import type { IsoDate } from '../../model/terms.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// why: organizations' data determine the dates
const MAX_DATES = 10_000

const days = new Map<string, number>()
const dates = new Map<number, Buffer>()

/** @returns NaN if the date, such as `2026-03-01`, does not exist */
export function dayNumber(date: IsoDate): number {
  const known = days.get(date)
  if (known !== undefined) return known
  if (days.size >= MAX_DATES) days.clear()
  const day = isDate(date) ? Date.parse(date) / DAY_MS : Number.NaN
  days.set(date, day)
  return day
}

/** The date of a day of the years 0-9999; undefined for others. */
export function dateOf(day: number): Buffer | undefined {
  const known = dates.get(day)
  if (known !== undefined) return known
  const iso = new Date(day * DAY_MS).toISOString()
  if (!/^\d/.test(iso)) return undefined
  if (dates.size >= MAX_DATES) dates.clear()
  const date = Buffer.from(iso.slice(0, 10))
  dates.set(day, date)
  return date
}
