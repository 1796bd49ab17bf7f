/** Dates and periods in the sentences of a language: month and day as Intl writes them, the rest as its texts say. */
import type { IsoDate, Period } from '../model/terms.ts'
import { memoized } from '../model/memoized.ts'
import { textsIn } from '../texts/texts.ts'
import { addDays } from './calendar.ts'

/** Functions of dates that return their words: `March`, `31 March`. */
const wordsIn = memoized((language: string) => {
  const { locale } = textsIn(language).formats
  const month = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
  const options = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const
  const dayAndMonth = new Intl.DateTimeFormat(locale, options)
  return {
    month: (date: string) => month.format(Date.parse(date.slice(0, 7))),
    dayAndMonth: (date: IsoDate) => dayAndMonth.format(Date.parse(date)),
  }
})

/** `31 March 2026` */
export function dateWords(date: IsoDate, language: string): string {
  return textsIn(language).bodies.date(wordsIn(language).dayAndMonth(date), date.slice(0, 4))
}

/** `March 2026`, of a month or a date. */
export function monthWords(date: string, language: string): string {
  return textsIn(language).bodies.month(wordsIn(language).month(date), date.slice(0, 4))
}

/** `2026`, `March 2026`, `3 March 2026`, `the period from ... to ...` */
export function periodWords(period: Period, language: string): string {
  const { bodies } = textsIn(language)
  const kind = kindOf(period)
  if (kind === 'days') return bodies.period(periodDates(period, language))
  if (kind === 'day') return dateWords(period.start, language)
  return kind === 'month'
    ? monthWords(period.start, language)
    : bodies.year(period.start.slice(0, 4))
}

/** The same with its preposition: `in March 2026`, `on 3 March 2026`. */
export function inPeriodWords(period: Period, language: string): string {
  const words = periodWords(period, language)
  return textsIn(language).bodies.inPeriod(words, kindOf(period), periodDates(period, language))
}

/** `from 1 January to 31 March 2026`; one day is that day. */
export function periodDates({ start, end }: Period, language: string): string {
  const last = addDays(end, -1)
  if (start === last) return dateWords(last, language)
  const isSameYear = start.slice(0, 4) === last.slice(0, 4)
  const day = String(Number(start.slice(8)))
  const dayAndMonth = isSameYear ? wordsIn(language).dayAndMonth(start) : dateWords(start, language)
  const from = isSameMonth(start, last) ? day : dayAndMonth
  return textsIn(language).bodies.between(from, dateWords(last, language))
}

function kindOf({ start, end }: Period) {
  const year = start.slice(0, 4)
  const last = addDays(end, -1)
  if (start === `${year}-01-01` && last === `${year}-12-31`) return 'year'
  if (start === last) return 'day'
  const isMonth = start.endsWith('-01') && end.endsWith('-01') && isSameMonth(start, last)
  return isMonth ? 'month' : 'days'
}

function isSameMonth(one: IsoDate, other: IsoDate): boolean {
  return one.slice(0, 7) === other.slice(0, 7)
}
