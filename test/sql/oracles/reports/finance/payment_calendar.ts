/** Oracle of the report `payment_calendar`. */
import type { IsoDate } from '../../../../../src/model/terms.ts'
import { sum } from '../../arithmetic.ts'
import {
  addDays,
  asOf,
  daysBetween,
  daysOf,
  later,
  weekName,
  weeks,
  within,
} from '../../calendar.ts'
import { dueDay, unpaidOn } from '../../debt-facts.ts'
import { flow, moneyOn, postedOperations } from '../../operations-facts.ts'
import type { OrganizationRows, Question, ReportOracle } from '../../oracle.ts'

type Expectation = ReturnType<typeof expectations>[number]

/** Debts (overdue ones dated today), and plans whose day has not ended. */
function expectations(rows: OrganizationRows, { period, today }: Question) {
  if (period.end <= today) return []
  const plans = postedOperations(rows, 'planned').filter(
    ({ kind, row }) => kind !== 'transfer' && dueDay(row) >= today,
  )
  return [...unpaidOn(rows, today), ...plans].map(operation => {
    const due = dueDay(operation.row)
    return { day: later(due, today), overdue: due < today, flow: flow(operation) }
  })
}

function flows(list: readonly Expectation[]): bigint {
  return sum(list.map(expectation => expectation.flow))
}

/** Overdue receivables are not expected. */
function isCounted({ overdue, flow: money }: Expectation): boolean {
  return !overdue || money <= 0n
}

function figures(opening: bigint, expected: readonly Expectation[]) {
  const counted = expected.filter(isCounted)
  const payments = counted.filter(expectation => expectation.flow < 0n)
  return {
    opening,
    receipts: flows(counted.filter(expectation => expectation.flow > 0n)),
    payments: -flows(payments),
    overdue_payments: -flows(payments.filter(({ overdue }) => overdue)),
    closing: opening + flows(counted),
    overdue_receipts: flows(expected.filter(one => !isCounted(one))),
  }
}

function least(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a < b ? a : b))
}

export const oracle: ReportOracle = (rows, question) => {
  const { period, today } = question
  const begin = later(period.start, today)
  const all = expectations(rows, question)
  const before = all.filter(one => one.day < begin && isCounted(one))
  const opening = moneyOn(rows, asOf(period, today)) + flows(before)
  const expected = all.filter(({ day }) => within(day, { start: begin, end: period.end }))
  const balanceAfter = (last: IsoDate) =>
    opening + flows(expected.filter(one => one.day <= last && isCounted(one)))
  const last = expected.map(({ day }) => day).reduce(later, '')
  const lines = weeks(begin, last, addDays(period.end, -1)).map(week => {
    const due = expected.filter(({ day }) => day >= week.first && day <= week.last)
    return {
      week_name: weekName(week),
      week: week.first,
      week_end: week.last,
      ...figures(balanceAfter(addDays(week.first, -1)), due),
      lowest: least(daysOf(week).map(balanceAfter)),
    }
  })
  const lowest = lines.length === 0 ? opening : least(lines.map(line => line.lowest))
  // Without expectations the balance does not change, so one day is enough.
  const covered = daysOf({ first: begin, last: later(begin, last) })
  const gap = period.end <= today ? undefined : covered.find(day => balanceAfter(day) < 0n)
  return {
    rows: lines,
    totals: { ...figures(opening, expected), lowest },
    facts: {
      days_ahead: daysBetween(asOf(period, today), begin),
      first_day: begin,
      last_day: addDays(period.end, -1),
      first_gap: gap ?? null,
      gap: lowest < 0n ? -lowest : 0n,
    },
  }
}
