/** Oracle of the report `receivables`. */
import { debtsByCounterparty } from '../../debt-facts.ts'
import type { ReportOracle } from '../../oracle.ts'

export const oracle: ReportOracle = (rows, question) =>
  debtsByCounterparty(rows, question, 'income', 'debtors')
