/** Identities of what was sold, to whom and at what cost. */
import { expect } from 'chai'
import { sum } from '../oracles/arithmetic.ts'
import { within } from '../oracles/calendar.ts'
import { postedOperations } from '../oracles/operations-facts.ts'
import { byId, field } from '../oracles/oracle.ts'
import type { OrganizationRows, Question, RawRow } from '../oracles/oracle.ts'
import { dayOf, exact, thousandths, total } from './identity.ts'
import type { Identity } from './identity.ts'

function isOfPeriod(sale: RawRow, question: Question): boolean {
  return (
    field(sale, 'status') === 'posted' &&
    within(dayOf(sale, 'shipped_at', question), question.period)
  )
}

/** Goods leave and come back in the period of their documents. */
function movementsGoWithSales(rows: OrganizationRows, question: Question): boolean {
  const lines = byId(rows.sale_lines)
  const sales = byId(rows.sales)
  return rows.stock_movements.every(movement => {
    const line = lines.get(movement['sale_line_id'] ?? '')
    if (line === undefined) return true
    const sale = sales.get(field(line, 'sale_id'))
    const moved = within(dayOf(movement, 'moved_at', question), question.period)
    return sale !== undefined && isOfPeriod(sale, question) === moved
  })
}

export const SALES: readonly Identity[] = [
  {
    name: 'revenue by customer is revenue by product',
    async check(ask, question, rows) {
      const customers = await ask.report('customers_abc', question)
      const products = await ask.report('product_sales', question)
      expect(customers.totals['revenue']).to.equal(products.totals['revenue'])
      expect(total(products.rows, 'revenue')).to.equal(exact(products.totals, 'revenue'))
      const withLines = new Set(rows.sale_lines.map(line => field(line, 'sale_id')))
      const sales = rows.sales.filter(
        sale =>
          field(sale, 'kind') === 'sale' &&
          isOfPeriod(sale, question) &&
          withLines.has(field(sale, 'id')),
      )
      expect(customers.totals['sales']).to.equal(String(sales.length))
    },
  },
  {
    name: 'classes of ABC follow one another in the order of rows',
    async check(ask, question) {
      for (const [report, column] of [
        ['customers_abc', 'class'],
        ['product_sales', 'abc'],
      ] as const) {
        const { rows } = await ask.report(report, question)
        const classes = rows.map(row => row[column]).join('')
        expect(classes, report).to.match(/^A*B*C*$/)
        const [first] = rows
        if (first !== undefined) {
          expect(first[column], report).to.equal(exact(first, 'revenue') > 0n ? 'A' : 'C')
        }
      }
    },
  },
  {
    name: 'the gross profit of a product is its revenue less its cost',
    async check(ask, question) {
      const { rows, totals } = await ask.report('product_sales', question)
      for (const row of [...rows, totals]) {
        expect(exact(row, 'profit')).to.equal(exact(row, 'revenue') - exact(row, 'cost'))
      }
    },
  },
  {
    name: 'the cost of products and direct costs are the cost of goods, where goods move with their sales',
    holds: movementsGoWithSales,
    async check(ask, question, rows) {
      const products = await ask.report('product_sales', question)
      const months = await ask.report('profit_loss', question)
      const direct = postedOperations(rows)
        .filter(({ kind, section }) => kind === 'expense' && section === 'cost_of_goods')
        .filter(operation => within(operation.accruedOn, question.period))
        .map(operation => thousandths(operation.amount))
      expect(exact(products.totals, 'cost') + sum(direct)).to.equal(
        exact(months.totals, 'cost_of_goods'),
      )
    },
  },
]
