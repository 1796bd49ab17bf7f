/** Weeks from Monday to Sunday, and the names of days in a row. */
import type { IsoDate } from '../../../src/terms.ts'
import { addDays, earlier } from './calendar.ts'

export interface Week {
  readonly first: IsoDate
  readonly last: IsoDate
}

function monday(date: IsoDate): IsoDate {
  const afterMonday = (new Date(date).getUTCDay() + 6) % 7
  return addDays(date, -afterMonday)
}

/** The weeks of both dates and all between. The first begins on `from`, none goes on after `end`. */
export function weeks(from: IsoDate, to: IsoDate, end: IsoDate): Week[] {
  const found: Week[] = []
  for (let first = from; first <= to; first = addDays(monday(first), 7)) {
    found.push({ first, last: earlier(addDays(monday(first), 6), end) })
  }
  return found
}

export function daysOf({ first, last }: Week): IsoDate[] {
  const days: IsoDate[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

/** «23–29 ноября 2026», «30 ноября – 6 декабря 2026», «28 декабря 2026 – 3 января 2027», «29 ноября 2026» */
export function weekName({ first, last }: Week): string {
  const year = (date: IsoDate) => Number(date.slice(0, 4))
  const day = (date: IsoDate) => Number(date.slice(8))
  const end = `${dayAndMonth(last)} ${year(last)}`
  if (first === last) return end
  if (year(first) !== year(last)) return `${dayAndMonth(first)} ${year(first)} – ${end}`
  if (first.slice(5, 7) !== last.slice(5, 7)) return `${dayAndMonth(first)} – ${end}`
  return `${day(first)}–${end}`
}

function dayAndMonth(date: IsoDate): string {
  return new Intl.DateTimeFormat('ru', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(date),
  )
}
