/** Identities of income, expenses and profit. */
import { expect } from 'chai'
import { sum } from '../oracles/arithmetic.ts'
import { cutOf, exact, expectSame, over, total } from './identity.ts'
import type { Identity } from './identity.ts'

export const PROFIT: readonly Identity[] = [
  {
    name: 'profit is income less expenses, by month and in the metrics',
    async check(ask, question) {
      const { rows, totals } = await ask.report('profit_loss', question)
      for (const row of [...rows, totals]) {
        const gross = exact(row, 'income') - exact(row, 'cost_of_goods')
        expect(exact(row, 'gross_profit')).to.equal(gross)
        expect(exact(row, 'profit')).to.equal(gross - exact(row, 'operating_expenses'))
      }
      const figures = await ask.metrics('finance', question)
      const expenses = exact(totals, 'cost_of_goods') + exact(totals, 'operating_expenses')
      expect(exact(figures, 'expenses')).to.equal(expenses)
      expect(exact(figures, 'profit')).to.equal(exact(figures, 'income') - expenses)
      expectSame('the metrics', totals, {
        of: figures,
        by: { income: 'income', profit: 'profit', profitability: 'margin' },
      })
    },
  },
  {
    name: 'profit is income less expenses, by project',
    async check(ask, question) {
      const { rows, totals } = await ask.report('profit_by_project', question)
      for (const row of [...rows, totals]) {
        expect(exact(row, 'profit')).to.equal(
          exact(row, 'income') - exact(row, 'direct_expenses') - exact(row, 'shared_expenses'),
        )
      }
      const figures = await ask.metrics('finance', question)
      expect(totals['profit']).to.equal(figures['profit'])
      expect(totals['margin']).to.equal(figures['profitability'])
    },
  },
  {
    name: 'income by category, by month and by project is that of the metrics',
    async check(ask, question) {
      const figures = await ask.metrics('finance', question)
      const categories = await ask.report('income_by_category', question)
      const months = await ask.report('profit_loss', question)
      const projects = await ask.report('profit_by_project', question)
      expectSame(
        'income',
        figures,
        { of: categories.totals, by: { amount: 'income' } },
        { of: months.totals, by: { income: 'income' } },
        { of: projects.totals, by: { income: 'income' } },
      )
    },
  },
  {
    name: 'expenses by category, by month and by project are those of the metrics',
    async check(ask, question) {
      const figures = await ask.metrics('finance', question)
      const categories = await ask.report('expenses_by_category', question)
      const months = await ask.report('profit_loss', question)
      const projects = await ask.report('profit_by_project', question)
      expect(categories.totals['amount']).to.equal(figures['expenses'])
      expect(
        exact(projects.totals, 'direct_expenses') + exact(projects.totals, 'shared_expenses'),
      ).to.equal(exact(figures, 'expenses'))
      for (const [section, column] of [
        ['Себестоимость', 'cost_of_goods'],
        ['Операционные расходы', 'operating_expenses'],
      ] as const) {
        const ofSection = categories.rows.filter(row => row['section'] === section)
        expect(total(ofSection, 'amount'), section).to.equal(exact(months.totals, column))
      }
    },
  },
  {
    name: 'profit and loss of a period is the sum of any cut of it',
    async check(ask, question) {
      const { start, end } = question.period
      const cut = cutOf(question)
      if (cut === end) return
      const { totals } = await ask.report('profit_loss', question)
      const parts = [
        await ask.report('profit_loss', over(question, start, cut)),
        await ask.report('profit_loss', over(question, cut, end)),
      ]
      for (const key of ['income', 'cost_of_goods', 'operating_expenses', 'profit']) {
        expect(sum(parts.map(part => exact(part.totals, key))), key).to.equal(exact(totals, key))
      }
    },
  },
]
