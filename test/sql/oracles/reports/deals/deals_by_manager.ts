/** Oracle of the report `deals_by_manager`. */
import { dealFigures } from '../../deal-facts.ts'
import { grouped, nameIn } from '../../grouped.ts'
import type { ReportOracle } from '../../oracle.ts'

export const oracle: ReportOracle = (rows, question) =>
  grouped({
    facts: rows.deals,
    column: 'manager_id',
    nameOf: nameIn(rows.employees, 'full_name', 'Не назначен'),
    label: 'manager',
    figuresOf: deals => dealFigures(deals, question),
    measure: 'won_amount',
  })
