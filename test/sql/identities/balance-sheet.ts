/** Identities of what is owned and owed: the balance sheet proves all others at once. */
import { expect } from 'chai'
import { sum } from '../oracles/arithmetic.ts'
import { addDays, asOf, within } from '../oracles/calendar.ts'
import { flow, postedOperations } from '../oracles/operations-facts.ts'
import type { Operation } from '../oracles/operations-facts.ts'
import { byId, field } from '../oracles/oracle.ts'
import type { OrganizationRows, Question } from '../oracles/oracle.ts'
import type { FieldRow } from '../run.ts'
import { dayOf, exact, hasBegun, over, previous, thousandths, total } from './identity.ts'
import type { Identity } from './identity.ts'

/** Of an item that may have no row. */
function closing(rows: readonly FieldRow[], item: string): bigint {
  return total(
    rows.filter(row => row['item'] === item),
    'closing',
  )
}

const SECTIONS_OF_PROFIT = new Map([
  ['income', 'income'],
  ['cost_of_goods', 'expense'],
  ['operating', 'expense'],
])

/** An operation in a section of profit that is of the other kind: money, and no profit. */
function disagrees({ kind, section }: Operation): boolean {
  const expected = SECTIONS_OF_PROFIT.get(section ?? '')
  return expected !== undefined && kind !== expected
}

/** What changes the total beside profit. A service is no stock, but what it cost is in purchases and in profit. */
function besideProfit(rows: OrganizationRows, question: Question): bigint {
  const services = byId(rows.products.filter(product => field(product, 'kind') === 'service'))
  const flows = postedOperations(rows)
    .filter(operation => within(operation.accruedOn, question.period))
    .filter(disagrees)
    .map(flow)
  const costs = rows.stock_movements
    .filter(movement => services.has(field(movement, 'product_id')))
    .filter(movement => !field(movement, 'kind').startsWith('transfer'))
    .filter(movement => within(dayOf(movement, 'moved_at', question), question.period))
    .map(movement => BigInt(field(movement, 'cost_kopecks')))
  return sum(flows) - sum(costs)
}

const SIDES = ['Активы', 'Обязательства', 'Финансирование']

export const BALANCE_SHEET: readonly Identity[] = [
  {
    name: 'the balance sheet opens, changes and closes',
    async check(ask, question) {
      const { rows, totals } = await ask.report('balance_sheet', question)
      for (const row of [...rows, totals]) {
        expect(exact(row, 'opening') + exact(row, 'change')).to.equal(exact(row, 'closing'))
      }
      for (const column of ['opening', 'change', 'closing']) {
        expect(total(rows, column)).to.equal(exact(totals, column))
      }
      const before = await ask.report('balance_sheet', previous(question))
      expect(before.totals['closing']).to.equal(totals['opening'])
    },
  },
  {
    name: 'the balance sheet has the metrics of money, debts and stock',
    async check(ask, question) {
      const { rows } = await ask.report('balance_sheet', question)
      const finance = await ask.metrics('finance', question)
      const warehouse = await ask.metrics('warehouse', question)
      expect(closing(rows, 'Деньги на счетах')).to.equal(exact(finance, 'account_balance'))
      expect(closing(rows, 'Задолженность покупателей')).to.equal(exact(finance, 'receivables'))
      expect(closing(rows, 'Задолженность поставщикам')).to.equal(-exact(finance, 'payables'))
      expect(closing(rows, 'Товары на складах')).to.equal(exact(warehouse, 'stock_value'))
    },
  },
  {
    name: 'the sides of the balance sheet follow each other, without lines of zeros',
    async check(ask, question) {
      const { rows } = await ask.report('balance_sheet', question)
      const ofSides = SIDES.map(side => rows.filter(row => row['side'] === side))
      expect(rows).to.deep.equal(ofSides.flat())
      for (const row of rows) {
        expect(exact(row, 'opening') !== 0n || exact(row, 'closing') !== 0n).to.equal(true)
      }
    },
  },
  {
    name: 'the balance sheet begins with what accounts were opened with, and nothing else',
    async check(ask, question, rows) {
      const before = over(question, '1900-01-01', '1900-01-02')
      const { totals, rows: lines } = await ask.report('balance_sheet', before)
      const balances = rows.accounts.map(row => BigInt(field(row, 'opening_balance_kopecks')))
      expect(exact(totals, 'closing')).to.equal(thousandths(sum(balances)))
      for (const { item } of lines) expect(item).to.equal('Деньги на счетах')
    },
  },
  {
    name: 'the total of the balance sheet changes by profit, and by little beside it',
    holds: hasBegun,
    async check(ask, question, rows) {
      const { totals } = await ask.report('balance_sheet', question)
      // A paid advance that is dated after the end of :as_of is no profit of the balance sheet yet.
      const { period, today } = question
      const soFar = over(question, period.start, addDays(asOf(period, today), 1))
      const figures = await ask.metrics('finance', soFar)
      expect(exact(totals, 'change')).to.equal(
        exact(figures, 'profit') + thousandths(besideProfit(rows, soFar)),
      )
    },
  },
  {
    name: 'the balance sheet of a period that has not begun stands still',
    holds: (rows, question) => !hasBegun(rows, question),
    async check(ask, question) {
      const { rows, totals } = await ask.report('balance_sheet', question)
      for (const row of [...rows, totals]) expect(exact(row, 'change')).to.equal(0n)
    },
  },
]
