/** Oracle of the report `stock_turnover`. */
import { decimal, divide, ratio, scaled, sum, sums } from '../../arithmetic.ts'
import { addDays, asOf, daysBetween, within } from '../../calendar.ts'
import { field, maybe, type Question, type ReportOracle } from '../../oracle.ts'
import { ranked } from '../../order.ts'
import { split } from '../../grouped.ts'
import { costOf, isOfSales, quantityOf, stockFacts, type StockFact } from '../../stock-facts.ts'

/** The sum of stock values at the end of each day of the period. */
function kopeckDays(facts: readonly StockFact[], { period, today }: Question): bigint {
  const day = asOf(period, today)
  const evenings = daysBetween(period.start, day) + 1n
  const before = facts.filter(fact => fact.date < period.start)
  const during = facts.filter(fact => fact.date >= period.start && fact.date <= day)
  const added = during.map(fact => fact.cost * (daysBetween(fact.date, day) + 1n))
  return costOf(before) * evenings + sum(added)
}

function costOfSales(facts: readonly StockFact[], { period, today }: Question): bigint {
  const day = asOf(period, today)
  return -costOf(
    facts.filter(fact => isOfSales(fact) && fact.date >= period.start && fact.date <= day),
  )
}

function stateOf(closing: bigint, soldLately: boolean, days: string | null): string {
  if (closing <= 0n) return 'Нет остатка'
  if (!soldLately) return 'Неликвид'
  return days === null || scaled(days, 1) > 900n ? 'Медленный' : 'Ходовой'
}

function figures(facts: readonly StockFact[], question: Question) {
  const { period, today } = question
  const day = asOf(period, today)
  const weight = kopeckDays(facts, question)
  const cost = costOfSales(facts, question)
  const days = ratio(weight, cost, 1)
  const tillEnd = facts.filter(fact => fact.date < period.end)
  const closing = quantityOf(tillEnd)
  const sales = tillEnd.filter(fact => fact.kind === 'sale').map(fact => fact.date)
  const lastSale = sales.toSorted().at(-1) ?? null
  const lately = { start: addDays(day, -89), end: addDays(day, 1) }
  return {
    average_stock: divide(weight, daysBetween(period.start, day) + 1n),
    cost_of_sales: cost,
    turnover_days: days,
    closing: decimal(closing, 3),
    value: costOf(tillEnd),
    last_sale: lastSale,
    idle_days: lastSale === null ? null : daysBetween(lastSale, day),
    state: stateOf(
      closing,
      sales.some(date => within(date, lately)),
      days,
    ),
  }
}

export const oracle: ReportOracle = (rows, question) => {
  const { period, today, timeZone } = question
  if (asOf(period, today) < period.start) {
    const nothing = { average_stock: 0n, cost_of_sales: 0n, turnover_days: null, value: 0n }
    const facts = { dead: 0n, dead_value: 0n }
    return { rows: [], totals: nothing, facts }
  }
  const facts = stockFacts(rows, timeZone)
  const factsOf = split(facts, fact => fact.product)
  const found = rows.products
    .map(product => ({
      id: field(product, 'id'),
      row: {
        product: field(product, 'name'),
        product_id: field(product, 'id'),
        sku: maybe(product, 'sku'),
        ...figures(factsOf.get(field(product, 'id')) ?? [], question),
      },
    }))
    .filter(
      ({ row }) =>
        row.average_stock !== 0n ||
        row.cost_of_sales !== 0n ||
        scaled(row.closing, 3) !== 0n ||
        row.value !== 0n,
    )
    .toSorted(
      ranked(
        ({ row }) => row.value,
        ({ row }) => row.product,
        ({ id }) => id,
      ),
    )
    .map(({ row }) => row)
  const dead = found.filter(row => row.state === 'Неликвид')
  return {
    rows: found,
    totals: {
      ...sums(found, ['average_stock', 'cost_of_sales', 'value']),
      turnover_days: ratio(kopeckDays(facts, question), costOfSales(facts, question), 1),
    },
    facts: { dead: BigInt(dead.length), dead_value: sum(dead.map(row => row.value)) },
  }
}
