/** Oracle of the report `profit_loss`. */
import { percent, sum } from '../../arithmetic.ts'
import { monthName, within } from '../../calendar.ts'
import { factMonths } from '../../moments.ts'
import type { AnswerRow, ReportOracle } from '../../oracle.ts'
import { profitFacts, type ProfitFact } from '../../profit-facts.ts'

function amountOf(facts: readonly ProfitFact[], ...kinds: ProfitFact['kind'][]): bigint {
  return sum(facts.filter(fact => kinds.includes(fact.kind)).map(fact => fact.amount))
}

function figures(facts: readonly ProfitFact[]): AnswerRow {
  const of = (kind: ProfitFact['kind']) => amountOf(facts, kind)
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
  return {
    rows: factMonths(dates, question).map(month =>
      Object.assign(
        { month_name: monthName(month), month },
        figures(counted.filter(fact => fact.date.startsWith(month))),
      ),
    ),
    totals: figures(counted),
    facts: { expenses: amountOf(counted, 'cost', 'operating') },
  }
}
