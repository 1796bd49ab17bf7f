/** Oracle of the report `payment_calendar`. */
import type { IsoDate } from '../../../../../src/model/terms.ts'
import { sum } from '../../arithmetic.ts'
import { addDays, asOf, daysBetween, later, within } from '../../calendar.ts'
import { dueDay, unpaidOn } from '../../debt-facts.ts'
import { flow, moneyOn, plannedOperations } from '../../operations-facts.ts'
import type { OrganizationRows, Question, ReportOracle } from '../../oracle.ts'
import { daysOf, weekName, weeks } from '../../weeks.ts'

interface Expectation {
  readonly day: IsoDate
  readonly overdue: boolean
  readonly flow: bigint
}

/** Debts (overdue ones dated today), and plans whose day has not ended. */
function expectations(rows: OrganizationRows, { period, today }: Question): Expectation[] {
  const isOver = period.end <= today
  if (isOver) return []
  const debts = unpaidOn(rows, today).map(debt => ({
    day: later(dueDay(debt.row), today),
    overdue: dueDay(debt.row) < today,
    flow: flow(debt),
  }))
  const plans = plannedOperations(rows)
    .filter(plan => plan.kind !== 'transfer' && dueDay(plan.row) >= today)
    .map(plan => ({ day: dueDay(plan.row), overdue: false, flow: flow(plan) }))
  return [...debts, ...plans]
}

function flows(list: readonly Expectation[]): bigint {
  return sum(list.map(expectation => expectation.flow))
}

/** Overdue receivables are not expected. */
function isOverdueReceipt({ overdue, flow: money }: Expectation): boolean {
  return overdue && money > 0n
}

function countedOn(list: readonly Expectation[]): Expectation[] {
  return list.filter(expectation => !isOverdueReceipt(expectation))
}

function figures(opening: bigint, expected: readonly Expectation[]) {
  const counted = countedOn(expected)
  const payments = counted.filter(expectation => expectation.flow < 0n)
  return {
    opening,
    receipts: flows(counted.filter(expectation => expectation.flow > 0n)),
    payments: -flows(payments),
    overdue_payments: -flows(payments.filter(({ overdue }) => overdue)),
    closing: opening + flows(counted),
    overdue_receipts: flows(expected.filter(isOverdueReceipt)),
  }
}

function least(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a < b ? a : b))
}

export const oracle: ReportOracle = (rows, question) => {
  const { period, today } = question
  const begin = later(period.start, today)
  const all = expectations(rows, question)
  const before = all.filter(({ day }) => day < begin)
  const opening = moneyOn(rows, asOf(period, today)) + flows(countedOn(before))
  const expected = all.filter(({ day }) => within(day, { start: begin, end: period.end }))
  const balanceAfter = (last: IsoDate) =>
    opening + flows(countedOn(expected.filter(({ day }) => day <= last)))

  const last = expected.map(({ day }) => day).reduce(later, '')
  const lines = weeks(begin, last, addDays(period.end, -1)).map(week => {
    const due = expected.filter(({ day }) => day >= week.first && day <= week.last)
    const line = {
      ...figures(balanceAfter(addDays(week.first, -1)), due),
      lowest: least(daysOf(week).map(balanceAfter)),
    }
    return Object.assign({ week_name: weekName(week), week: week.first, week_end: week.last }, line)
  })
  const lowest = lines.length === 0 ? opening : least(lines.map(line => line.lowest))
  // Without expectations the balance does not change, so one day is enough.
  const covered = daysOf({ first: begin, last: later(begin, last) })
  const isOver = period.end <= today
  return {
    rows: lines,
    totals: { ...figures(opening, expected), lowest },
    facts: {
      days_ahead: daysBetween(asOf(period, today), begin),
      first_day: begin,
      last_day: addDays(period.end, -1),
      first_gap: isOver ? null : (covered.find(day => balanceAfter(day) < 0n) ?? null),
      gap: lowest < 0n ? -lowest : 0n,
    },
  }
}
