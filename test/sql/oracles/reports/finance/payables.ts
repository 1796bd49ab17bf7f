/** Oracle of the report `payables`. */
import { debtsByCounterparty } from '../../debt-facts.ts'
import type { ReportOracle } from '../../oracle.ts'

export const oracle: ReportOracle = (rows, question) =>
  debtsByCounterparty(rows, question, 'expense', 'creditors')
