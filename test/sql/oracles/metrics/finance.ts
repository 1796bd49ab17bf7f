/** Oracle of the metrics of finance. */
import { addDays } from '../calendar.ts'
import { moneyOn } from '../operations-facts.ts'
import type { MetricsOracle } from '../oracle.ts'
import { oracle as payables } from '../reports/finance/payables.ts'
import { oracle as profitLoss } from '../reports/finance/profit_loss.ts'
import { oracle as receivables } from '../reports/finance/receivables.ts'

export const oracle: MetricsOracle = (rows, question) => {
  const { totals, facts } = profitLoss(rows, question)
  const owedToUs = receivables(rows, question).totals
  const owedByUs = payables(rows, question).totals
  return {
    income: totals['income'] ?? null,
    expenses: facts?.['expenses'] ?? null,
    profit: totals['profit'] ?? null,
    profitability: totals['margin'] ?? null,
    account_balance: moneyOn(rows, addDays(question.period.end, -1)),
    receivables: owedToUs['total'] ?? null,
    receivables_overdue: owedToUs['overdue'] ?? null,
    payables: owedByUs['total'] ?? null,
    payables_overdue: owedByUs['overdue'] ?? null,
  }
}
