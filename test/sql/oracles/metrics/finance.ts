/** Oracle of the metrics of finance. */
import { percent, sum } from '../arithmetic.ts'
import { asOf, within } from '../calendar.ts'
import { flow, postedOperations } from '../operations-facts.ts'
import type { Operation } from '../operations-facts.ts'
import { field } from '../oracle.ts'
import type { MetricsOracle } from '../oracle.ts'
import { profitFacts } from '../profit-facts.ts'

export const oracle: MetricsOracle = (rows, { period, today, timeZone }) => {
  const day = asOf(period, today)
  const facts = profitFacts(rows, timeZone).filter(fact => within(fact.date, period))
  const income = sum(facts.filter(fact => fact.kind === 'income').map(fact => fact.amount))
  const expenses = sum(facts.filter(fact => fact.kind !== 'income').map(fact => fact.amount))
  const posted = postedOperations(rows)
  const owed = (kind: Operation['kind']) =>
    sum(
      posted
        .filter(operation => operation.kind === kind && operation.accruedOn <= day)
        .filter(operation => operation.paidOn === null || operation.paidOn > day)
        .map(operation => operation.amount),
    )
  const moved = posted.filter(
    operation => operation.paidOn !== null && operation.paidOn < period.end,
  )
  return {
    income,
    expenses,
    profit: income - expenses,
    profitability: percent(income - expenses, income),
    account_balance:
      sum(rows.accounts.map(account => BigInt(field(account, 'opening_balance_kopecks')))) +
      sum(moved.map(flow)),
    receivables: owed('income'),
    payables: owed('expense'),
  }
}
