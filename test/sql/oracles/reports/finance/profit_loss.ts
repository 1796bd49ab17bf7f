/** Oracle of the report `profit_loss`. */
import { percent, sum } from '../../arithmetic.ts'
import { factMonths, monthName, within } from '../../calendar.ts'
import type { ReportOracle } from '../../oracle.ts'
import { profitFacts, type ProfitFact } from '../../profit-facts.ts'

function figures(facts: readonly ProfitFact[]) {
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

export const oracle: ReportOracle = (rows, question) => {
  const { period, timeZone } = question
  const all = profitFacts(rows, timeZone)
  const dates = all.map(fact => fact.date)
  const counted = all.filter(fact => within(fact.date, period))
  const totals = figures(counted)
  return {
    rows: factMonths(dates, question).map(month => ({
      month_name: monthName(month),
      month,
      ...figures(counted.filter(fact => fact.date.startsWith(month))),
    })),
    totals,
    facts: { expenses: totals.cost_of_goods + totals.operating_expenses },
  }
}
