/** Dates and instants of a generated organization: a few edge cases, so that they coincide. */
import type { IsoDate } from '../../../src/model/terms.ts'
import { addDays, asOf, localDate, microseconds, within } from '../oracles/calendar.ts'
import type { Microseconds } from '../oracles/calendar.ts'
import type { Question } from '../oracles/oracle.ts'
import type { Choices } from './numbers.ts'
import { offsetChanges } from './question.ts'

export interface Moments {
  /** In the past, today or in the future. */
  readonly date: () => IsoDate
  /** Not after today. */
  readonly pastDate: () => IsoDate
  /** Not after now. */
  readonly moment: () => Microseconds
  /** In the period and not after now; none if there are none. */
  readonly momentsWithin: readonly Microseconds[]
  /** Not before `at` and not after now. */
  readonly laterThan: (at: Microseconds) => Microseconds
}

/** The first instant of a local date; offsets change at whole quarter-hours. */
export function midnight(date: IsoDate, timeZone: string): Microseconds {
  let at = microseconds(`${addDays(date, -1)}T00:00:00Z`)
  while (localDate(at, timeZone) < date) at += 900_000_000n
  return at
}

export function instant(at: Microseconds): string {
  const text = new Date(Number(at / 1000n)).toISOString().slice(0, -1)
  return `${text}${String(at % 1000n).padStart(3, '0')}Z`
}

/** Borders of ages of debts, sales and stock. */
const AGES = [6, 7, 29, 30, 31, 60, 61, 89, 90, 91]

/** Days from today to expected payments: around the ends of weeks. */
const EXPECTED = [1, 2, 5, 6, 7, 8, 13, 33]

function datesOf({ period, today, timeZone }: Question): IsoDate[] {
  const day = asOf(period, today)
  return [
    ...[period.start, period.end, today].flatMap(date =>
      [-2, -1, 0, 1].map(days => addDays(date, days)),
    ),
    '2024-02-29',
    '2025-12-31',
    '2026-01-01',
    ...offsetChanges(timeZone),
    addDays(period.start, -400),
    addDays(period.start, 40),
    `${addDays(period.start, 40).slice(0, 7)}-01`,
    ...AGES.map(days => addDays(day, -days)),
    ...EXPECTED.map(days => addDays(today, days)),
  ]
}

export function momentsOf({ chance, pick }: Choices, question: Question): Moments {
  const { period, today, now, timeZone } = question
  const nowAt = microseconds(now)
  // Some organizations begin in the period: then the first month is that of the first fact.
  const birth = chance(0.3) ? addDays(period.start, -1) : '0000-00-00'
  const dates = datesOf(question).filter(date => date >= birth)
  const pastDates = dates.filter(date => date <= today)
  const ofPeriod = pastDates.filter(date => within(date, period))
  const instants = pastDates
    .flatMap(date => {
      const begin = midnight(date, timeZone)
      return [begin - 1n, begin, begin + 1n, begin + 43_200_123_456n]
    })
    .filter(at => at <= nowAt)
  const instantsOfPeriod = instants.filter(at => within(localDate(at, timeZone), period))
  return {
    date: () => pick(dates),
    pastDate: () => {
      if (ofPeriod.length > 0 && chance(0.45)) return pick(ofPeriod)
      return pastDates.length === 0 ? '2020-01-01' : pick(pastDates)
    },
    moment: () => {
      if (instantsOfPeriod.length > 0 && chance(0.45)) return pick(instantsOfPeriod)
      return instants.length === 0 ? nowAt : pick(instants)
    },
    momentsWithin: instantsOfPeriod,
    laterThan: at => {
      const found = [...instants.filter(other => other >= at), at, at + 4_500_000_000n]
      return pick(found.filter(other => other <= nowAt || other === at))
    },
  }
}
