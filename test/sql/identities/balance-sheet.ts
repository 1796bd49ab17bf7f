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

/** Money that is neither profit nor financing: purchases, investments, and where kind and section disagree. */
function isOutsideOfProfit({ kind, section }: Operation): boolean {
  if (kind === 'transfer' || section === 'financing') return false
  if (section === 'goods_purchase' || section === 'investing') return true
  return (kind === 'income') !== (section === 'income')
}

function outsideOfProfit(rows: OrganizationRows, question: Question): bigint {
  const goods = byId(rows.products.filter(product => field(product, 'kind') === 'goods'))
  const flows = postedOperations(rows)
    .filter(operation => within(operation.accruedOn, question.period))
    .filter(isOutsideOfProfit)
    .map(flow)
  const costs = rows.stock_movements
    .filter(movement => within(dayOf(movement, 'moved_at', question), question.period))
    .map(movement => {
      const cost = BigInt(field(movement, 'cost_kopecks'))
      const isBought = ['receipt', 'supplier_return'].includes(field(movement, 'kind'))
      const isTransfer = field(movement, 'kind').startsWith('transfer')
      if (goods.has(field(movement, 'product_id'))) return isBought ? cost : 0n
      // Of a service: in profit and not in stock.
      return isBought || isTransfer ? 0n : -cost
    })
  return sum(flows) + sum(costs)
}

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
    name: 'own funds change by profit, and by what is bought and invested beside it',
    holds: hasBegun,
    async check(ask, question, rows) {
      const { totals } = await ask.report('balance_sheet', question)
      // A paid advance that is dated after the end of :as_of is no profit of the balance sheet yet.
      const { period, today } = question
      const soFar = over(question, period.start, addDays(asOf(period, today), 1))
      const figures = await ask.metrics('finance', soFar)
      expect(exact(totals, 'change')).to.equal(
        exact(figures, 'profit') + thousandths(outsideOfProfit(rows, soFar)),
      )
    },
  },
]
