/** Identities of what is expected to come and go. */
import { expect } from 'chai'
import { sum } from '../oracles/arithmetic.ts'
import { addDays } from '../oracles/calendar.ts'
import type { OrganizationRows, Question } from '../oracles/oracle.ts'
import { exact, expectChain, hasBegun, over, total } from './identity.ts'
import type { Identity } from './identity.ts'

function lowest(values: readonly bigint[]): bigint | undefined {
  return values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[0]
}

function isOver(_rows: OrganizationRows, { period, today }: Question): boolean {
  return period.end <= today
}

function runs(rows: OrganizationRows, question: Question): boolean {
  return hasBegun(rows, question) && !isOver(rows, question)
}

const EXPECTED = ['receipts', 'payments', 'overdue_payments', 'overdue_receipts']

export const CALENDAR: readonly Identity[] = [
  {
    name: 'the payment calendar opens, moves and closes, and its lowest is no higher than that',
    async check(ask, question) {
      const { rows, totals } = await ask.report('payment_calendar', question)
      for (const row of [...rows, totals]) {
        const closing = exact(row, 'closing')
        expect(closing).to.equal(
          exact(row, 'opening') + exact(row, 'receipts') - exact(row, 'payments'),
        )
        expect(exact(row, 'lowest') <= closing).to.equal(true)
      }
      expectChain(rows, 'opening', 'closing')
      for (const column of EXPECTED) {
        expect(total(rows, column), column).to.equal(exact(totals, column))
      }
      if (rows.length > 0) {
        expect(exact(totals, 'lowest')).to.equal(lowest(rows.map(row => exact(row, 'lowest'))))
        expect(rows[0]?.['opening']).to.equal(totals['opening'])
      }
    },
  },
  {
    name: 'the payment calendar of a period that has begun opens with the metric of balances',
    holds: hasBegun,
    async check(ask, question) {
      const { totals } = await ask.report('payment_calendar', question)
      const figures = await ask.metrics('finance', question)
      expect(totals['opening']).to.equal(figures['account_balance'])
    },
  },
  {
    name: 'the payment calendar of a period that is over is its last balance alone',
    holds: isOver,
    async check(ask, question) {
      const { rows, totals } = await ask.report('payment_calendar', question)
      expect(rows).to.deep.equal([])
      expect(totals['closing']).to.equal(totals['opening'])
      expect(totals['lowest']).to.equal(totals['opening'])
    },
  },
  {
    name: 'what is overdue in the payment calendar is what is overdue in debts, by direction',
    holds: runs,
    async check(ask, question) {
      const { rows, totals } = await ask.report('payment_calendar', question)
      const debts = await ask.report('debts', question)
      const overdue = debts.rows.map(
        row => exact(row, 'overdue_receivable') - exact(row, 'overdue_payable'),
      )
      expect(exact(totals, 'overdue_receipts')).to.equal(sum(overdue.filter(debt => debt > 0n)))
      expect(exact(totals, 'overdue_payments')).to.equal(-sum(overdue.filter(debt => debt < 0n)))
      // All of it stands in the row of today.
      for (const column of ['overdue_receipts', 'overdue_payments']) {
        expect(total(rows.slice(1), column), column).to.equal(0n)
      }
    },
  },
  {
    name: 'nothing is overdue in the payment calendar of a period that does not run',
    holds: (rows, question) => !runs(rows, question),
    async check(ask, question) {
      const { totals } = await ask.report('payment_calendar', question)
      expect(totals['overdue_receipts']).to.equal('0')
      expect(totals['overdue_payments']).to.equal('0')
    },
  },
  {
    name: 'the first gap of the payment calendar lies in the first week that goes below zero',
    holds: (rows, question) => !isOver(rows, question),
    async check(ask, question) {
      const { rows, totals } = await ask.report('payment_calendar', question)
      const least = exact(totals, 'lowest')
      expect(exact(totals, 'gap')).to.equal(least < 0n ? -least : 0n)
      const gap = totals['first_gap'] ?? null
      expect(gap === null).to.equal(least >= 0n)
      if (gap === null) return
      const week = rows.findLast(row => (row['week'] ?? '') <= gap)
      expect(week).to.equal(rows.find(row => exact(row, 'lowest') < 0n))
    },
  },
  {
    name: 'the payment calendar closes a period as it opens the next',
    holds: (rows, question) => !isOver(rows, question),
    async check(ask, question) {
      const { end } = question.period
      const { totals } = await ask.report('payment_calendar', question)
      const next = await ask.report('payment_calendar', over(question, end, addDays(end, 45)))
      expect(next.totals['opening']).to.equal(totals['closing'])
    },
  },
]
