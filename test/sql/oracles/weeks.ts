/** Weeks from Monday to Sunday, and names of ranges of days. */
import type { IsoDate } from '../../../src/model/terms.ts'
import { addDays, earlier } from './calendar.ts'

export interface Week {
  readonly first: IsoDate
  readonly last: IsoDate
}

function monday(date: IsoDate): IsoDate {
  const afterMonday = (new Date(date).getUTCDay() + 6) % 7
  return addDays(date, -afterMonday)
}

/** The weeks of both dates and all between. The first begins on `from`, the last ends by `end`. */
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

/** «23.11–29.11.2026»; for one day «29.11.2026» */
export function weekName({ first, last }: Week): string {
  const end = last.split('-').toReversed().join('.')
  if (first === last) return end
  const [, month, day] = first.split('-')
  return `${day}.${month}–${end}`
}
