/** Oracle of the report `profit_loss`. */
import { percent, sum } from '../../arithmetic.ts'
import { asOf, later, monthName, months, within } from '../../calendar.ts'
import type { AnswerRow, ReportOracle } from '../../oracle.ts'
import { profitFacts } from '../../profit-facts.ts'
import type { ProfitFact } from '../../profit-facts.ts'

function figures(facts: readonly ProfitFact[]): AnswerRow {
  const of = (kind: ProfitFact['kind']) =>
    sum(facts.filter(fact => fact.kind === kind).map(fact => fact.amount))
  const [income, cost, operating] = [of('income'), of('cost'), of('operating')]
  const profit = income - cost - operating
  return {
    income,
    cost_of_goods: cost,
    gross_profit: income - cost,
    operating_expenses: operating,
    profit,
    margin: percent(profit, income),
  }
}

export const oracle: ReportOracle = (rows, { period, today, timeZone }) => {
  const all = profitFacts(rows, timeZone)
  const counted = all.filter(fact => within(fact.date, period))
  const totals = { month: null, ...figures(counted) }
  const [first] = all.map(fact => fact.date).toSorted()
  const day = asOf(period, today)
  const hasNotBegun = day < period.start && counted.length === 0
  if (first === undefined || hasNotBegun) return { rows: [], totals }
  const last = counted.map(fact => fact.date).reduce(later, day)
  return {
    rows: months(later(period.start, first), last).map(month =>
      Object.assign(
        { month_name: monthName(month), month },
        figures(counted.filter(fact => fact.date.startsWith(month))),
      ),
    ),
    totals,
  }
}
