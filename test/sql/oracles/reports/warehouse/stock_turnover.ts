/** Oracle of the report `stock_turnover`. */
import { count, decimal, divide, ratio, scaled, sum, sums } from '../../arithmetic.ts'
import { addDays, asOf, daysBetween, within } from '../../calendar.ts'
import { split } from '../../grouped.ts'
import { field, maybe, type Question, type ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'
import { costOf, isOfSales, quantityOf, stockFacts, type StockFact } from '../../stock-facts.ts'

function stateOf(closing: bigint, soldLately: boolean, days: string | null): string {
  if (closing <= 0n) return 'Нет остатка'
  if (!soldLately) return 'Неликвид'
  return days === null || scaled(days, 1) > 900n ? 'Медленный' : 'Ходовой'
}

function figures(facts: readonly StockFact[], { period, today }: Question) {
  const day = asOf(period, today)
  const evenings = daysBetween(period.start, day) + 1n
  const before = facts.filter(fact => fact.date < period.start)
  const during = facts.filter(fact => fact.date >= period.start && fact.date <= day)
  /** The sum of stock values at the end of each day of the period. */
  const kopeckDays =
    costOf(before) * evenings +
    sum(during.map(fact => fact.cost * (daysBetween(fact.date, day) + 1n)))
  const cost = -costOf(during.filter(isOfSales))
  const days = ratio(kopeckDays, cost, 1)
  const tillEnd = facts.filter(fact => fact.date < period.end)
  const closing = quantityOf(tillEnd)
  const sales = tillEnd.filter(fact => fact.kind === 'sale').map(fact => fact.date)
  const lastSale = sales.toSorted().at(-1) ?? null
  const lately = { start: addDays(day, -89), end: addDays(day, 1) }
  const soldLately = sales.some(date => within(date, lately))
  return {
    average_stock: divide(kopeckDays, evenings),
    cost_of_sales: cost,
    turnover_days: days,
    closing: decimal(closing, 3),
    value: costOf(tillEnd),
    last_sale: lastSale,
    idle_days: lastSale === null ? null : daysBetween(lastSale, day),
    state: stateOf(closing, soldLately, days),
  }
}

export const oracle: ReportOracle = (rows, question) => {
  const { period, today, timeZone } = question
  const hasBegun = asOf(period, today) >= period.start
  const facts = hasBegun ? stockFacts(rows, timeZone) : []
  const factsOf = split(facts, fact => fact.product)
  const found = (hasBegun ? rows.products : [])
    .map(product => ({
      product: field(product, 'name'),
      product_id: field(product, 'id'),
      sku: maybe(product, 'sku'),
      ...figures(factsOf.get(field(product, 'id')) ?? [], question),
    }))
    .filter(
      row =>
        row.average_stock !== 0n ||
        row.cost_of_sales !== 0n ||
        Number(row.closing) !== 0 ||
        row.value !== 0n,
    )
  const dead = found.filter(row => row.state === 'Неликвид')
  return {
    rows: sorted(found, '-value', 'product', '#product_id'),
    totals: {
      ...sums(found, ['average_stock', 'cost_of_sales', 'value']),
      turnover_days: hasBegun ? figures(facts, question).turnover_days : null,
    },
    facts: { dead: count(dead), dead_value: sum(dead.map(row => row.value)) },
  }
}
