/** Oracle of the report `income_by_category`. */
import { within } from '../../calendar.ts'
import { categoryLines, withShares } from '../../category-facts.ts'
import type { ReportOracle } from '../../oracle.ts'
import { profitFacts } from '../../profit-facts.ts'

export const oracle: ReportOracle = (rows, { period, timeZone }) =>
  withShares(
    categoryLines(
      rows,
      profitFacts(rows, timeZone).filter(
        fact => fact.kind === 'income' && within(fact.date, period),
      ),
    ),
  )
