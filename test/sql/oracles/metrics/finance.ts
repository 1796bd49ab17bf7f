/** Oracle of the metrics of finance. */
import { percent, sum } from '../arithmetic.ts'
import { addDays, asOf, within } from '../calendar.ts'
import { unpaidOn } from '../debt-facts.ts'
import { moneyOn } from '../operations-facts.ts'
import type { Operation } from '../operations-facts.ts'
import type { MetricsOracle } from '../oracle.ts'
import { profitFacts } from '../profit-facts.ts'

export const oracle: MetricsOracle = (rows, { period, today, timeZone }) => {
  const day = asOf(period, today)
  const facts = profitFacts(rows, timeZone).filter(fact => within(fact.date, period))
  const income = sum(facts.filter(fact => fact.kind === 'income').map(fact => fact.amount))
  const expenses = sum(facts.filter(fact => fact.kind !== 'income').map(fact => fact.amount))
  const unpaid = unpaidOn(rows, day)
  const owed = (kind: Operation['kind']) =>
    sum(unpaid.filter(debt => debt.kind === kind).map(debt => debt.amount))
  return {
    income,
    expenses,
    profit: income - expenses,
    profitability: percent(income - expenses, income),
    account_balance: moneyOn(rows, addDays(period.end, -1)),
    receivables: owed('income'),
    payables: owed('expense'),
  }
}
