/** Identities of money on accounts. */
import { expect } from 'chai'
import { exact, expectChain, expectSame, previous } from './identity.ts'
import type { Identity } from './identity.ts'

export const CASH: readonly Identity[] = [
  {
    name: 'money opens, moves and closes, on every account and on all of them',
    async check(ask, question) {
      const { rows, totals } = await ask.report('cash_flow', question)
      for (const row of [...rows, totals]) {
        expect(exact(row, 'closing')).to.equal(
          exact(row, 'opening') +
            exact(row, 'received') -
            exact(row, 'paid') +
            exact(row, 'transferred_in') -
            exact(row, 'transferred_out'),
        )
      }
      expect(totals['transferred_in']).to.equal(totals['transferred_out'])
    },
  },
  {
    name: 'money closes a period as it opens the next, and as the metric has it',
    async check(ask, question) {
      const { totals } = await ask.report('cash_flow', question)
      const before = await ask.report('cash_flow', previous(question))
      expect(before.totals['closing']).to.equal(totals['opening'])
      const figures = await ask.metrics('finance', question)
      expect(figures['account_balance']).to.equal(totals['closing'])
    },
  },
  {
    name: 'money by account is money by month',
    async check(ask, question) {
      const accounts = await ask.report('cash_flow', question)
      const months = await ask.report('cash_flow_by_month', question)
      expectSame('by month', accounts.totals, {
        of: months.totals,
        by: { opening: 'opening', received: 'received', paid: 'paid', closing: 'closing' },
      })
    },
  },
  {
    name: 'the net flow of a month is that of its kinds, and what came less what went',
    async check(ask, question) {
      const { rows, totals } = await ask.report('cash_flow_by_month', question)
      for (const row of [...rows, totals]) {
        const net = exact(row, 'net')
        expect(net).to.equal(exact(row, 'received') - exact(row, 'paid'))
        expect(net).to.equal(
          exact(row, 'operating') + exact(row, 'investing') + exact(row, 'financing'),
        )
        expect(net).to.equal(exact(row, 'closing') - exact(row, 'opening'))
      }
      expectChain(rows, 'opening', 'closing')
    },
  },
]
