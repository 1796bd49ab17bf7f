/** Identities of stock. */
import { expect } from 'chai'
import { sum } from '../oracles/arithmetic.ts'
import { within } from '../oracles/calendar.ts'
import { field, stockMovements } from '../oracles/oracle.ts'
import type { RawRow } from '../oracles/oracle.ts'
import { split } from '../oracles/split.ts'
import type { FieldRow } from '../run.ts'
import { dayOf, exact, hasBegun, previous, thousandths, total } from './identity.ts'
import type { Identity } from './identity.ts'

function movedValue(row: FieldRow): bigint {
  return exact(row, 'opening_value') + exact(row, 'in_value') - exact(row, 'out_value')
}

export const STOCK: readonly Identity[] = [
  {
    name: 'stock opens, moves and closes, in quantity and in value',
    async check(ask, question) {
      const { rows, totals } = await ask.report('stock_balance', question)
      for (const row of rows) {
        const moved = exact(row, 'opening') + exact(row, 'in') - exact(row, 'out')
        expect(moved).to.equal(exact(row, 'closing'))
        expect(movedValue(row)).to.equal(exact(row, 'value'))
      }
      expect(movedValue(totals)).to.equal(exact(totals, 'value'))
      const before = await ask.report('stock_balance', previous(question))
      expect(before.totals['value']).to.equal(totals['opening_value'])
    },
  },
  {
    name: 'the value of stock is that of the metric',
    async check(ask, question) {
      const { totals } = await ask.report('stock_balance', question)
      const figures = await ask.metrics('warehouse', question)
      expect(figures['stock_value']).to.equal(totals['value'])
    },
  },
  {
    name: 'the value of stock in its turnover is that of its balance, once the period has begun',
    holds: hasBegun,
    async check(ask, question) {
      const balance = await ask.report('stock_balance', question)
      const turnover = await ask.report('stock_turnover', question)
      expect(turnover.totals['value']).to.equal(balance.totals['value'])
    },
  },
  {
    name: 'turnover and shortage are those of the metrics',
    async check(ask, question) {
      const turnover = await ask.report('stock_turnover', question)
      const shortage = await ask.report('stock_below_minimum', question)
      const figures = await ask.metrics('warehouse', question)
      expect(figures['stock_turnover_days']).to.equal(turnover.totals['turnover_days'])
      expect(figures['stock_below_minimum']).to.equal(String(shortage.rows.length))
    },
  },
  {
    name: 'the value of stock changes by receipts, cost of goods and losses',
    async check(ask, question, rows) {
      const { totals } = await ask.report('stock_balance', question)
      const turnover = await ask.report('stock_turnover', question)
      const moved = stockMovements(rows).filter(movement =>
        within(dayOf(movement, 'moved_at', question), question.period),
      )
      const cost = (...kinds: string[]) =>
        sum(
          moved
            .filter(movement => kinds.includes(field(movement, 'kind')))
            .map(movement => thousandths(BigInt(field(movement, 'cost_kopecks')))),
        )
      const costOfGoods = -cost('sale', 'customer_return')
      const losses = -cost('write_off', 'surplus')
      expect(exact(turnover.totals, 'cost_of_sales')).to.equal(costOfGoods)
      expect(exact(totals, 'value') - exact(totals, 'opening_value')).to.equal(
        cost('receipt', 'supplier_return') - costOfGoods - losses,
      )
    },
  },
  {
    name: 'what a transfer takes from one warehouse it brings to another',
    async check(ask, question, rows) {
      const moved = stockMovements(rows).filter(movement =>
        within(dayOf(movement, 'moved_at', question), question.period),
      )
      const costs = (movements: readonly RawRow[]) =>
        movements.map(movement => BigInt(field(movement, 'cost_kopecks')))
      const ofTransfers = moved.filter(movement => movement['transfer_id'] !== null)
      for (const [id, movements] of split(ofTransfers, movement =>
        field(movement, 'transfer_id'),
      )) {
        expect(sum(costs(movements)), `transfer ${id}`).to.equal(0n)
      }
      const { totals } = await ask.report('stock_balance', question)
      expect(exact(totals, 'in_value')).to.equal(
        thousandths(sum(costs(moved).filter(cost => cost > 0n))),
      )
    },
  },
  {
    name: 'the shortage of every product is what its minimum has above its stock',
    async check(ask, question) {
      const { rows, totals } = await ask.report('stock_below_minimum', question)
      for (const row of rows) {
        const shortage = exact(row, 'minimum') - exact(row, 'stock')
        expect(exact(row, 'shortage')).to.equal(shortage)
        expect(shortage > 0n).to.equal(true)
      }
      const priced = rows.filter(row => row['amount'] !== null)
      expect(total(priced, 'amount')).to.equal(exact(totals, 'amount'))
    },
  },
]
