/** Identities of what is expected to come and go. */
import { expect } from 'chai'
import { addDays } from '../oracles/calendar.ts'
import { exact, expectChain, hasBegun, over } from './identity.ts'
import type { Identity } from './identity.ts'

function lowest(values: readonly bigint[]): bigint | undefined {
  return values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[0]
}

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
      if (rows.length > 0) {
        expect(exact(totals, 'lowest')).to.equal(lowest(rows.map(row => exact(row, 'lowest'))))
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
    name: 'what is overdue in the payment calendar is what is overdue in debts',
    holds: hasBegun,
    async check(ask, question) {
      const { totals } = await ask.report('payment_calendar', question)
      const receivables = await ask.report('receivables', question)
      const payables = await ask.report('payables', question)
      expect(exact(totals, 'overdue_receipts') - exact(totals, 'overdue_payments')).to.equal(
        exact(receivables.totals, 'overdue') - exact(payables.totals, 'overdue'),
      )
    },
  },
  {
    name: 'the payment calendar closes a period as it opens the next',
    holds: (_rows, { period, today }) => period.end > today,
    async check(ask, question) {
      const { end } = question.period
      const { totals } = await ask.report('payment_calendar', question)
      const next = await ask.report('payment_calendar', over(question, end, addDays(end, 45)))
      expect(next.totals['opening']).to.equal(totals['closing'])
    },
  },
]
