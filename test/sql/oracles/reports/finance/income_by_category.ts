/** Oracle of the report `income_by_category`. */
import { categoryLines, sharesOfLines } from '../../category-facts.ts'
import type { ReportOracle } from '../../oracle.ts'
import { profitFactsWithin } from '../../profit-facts.ts'

export const oracle: ReportOracle = (rows, question) => {
  const facts = profitFactsWithin(rows, question).filter(fact => fact.kind === 'income')
  return sharesOfLines(categoryLines(rows, facts))
}
