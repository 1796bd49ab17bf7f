/** The days of a month, `YYYY-MM`. */
import type { IsoDate } from '../../../src/terms.ts'
import { addDays } from './calendar.ts'

export function firstDay(month: string): IsoDate {
  return `${month}-01`
}

/** The day after its last. */
export function dayAfter(month: string): IsoDate {
  return firstDay(addDays(`${month}-28`, 4).slice(0, 7))
}

export function lastDay(month: string): IsoDate {
  return addDays(dayAfter(month), -1)
}
