/** The months of a report: from the first fact of its kind on, none in the future but those that facts are dated in. */
import type { IsoDate } from '../../../src/terms.ts'
import { asOf, later, months, within } from './calendar.ts'
import type { Question } from './oracle.ts'

/** `YYYY-MM`, ascending. `dates` are those of all facts of the organization, in the period or not. */
export function factMonths(dates: readonly IsoDate[], { period, today }: Question): string[] {
  const [first] = dates.toSorted()
  const counted = dates.filter(date => within(date, period))
  const day = asOf(period, today)
  const hasNotBegun = day < period.start && counted.length === 0
  if (first === undefined || hasNotBegun) return []
  return months(later(period.start, first), counted.reduce(later, day))
}
