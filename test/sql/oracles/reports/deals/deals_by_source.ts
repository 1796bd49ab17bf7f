/** Oracle of the report `deals_by_source`. */
import { dealFigures } from '../../deal-facts.ts'
import { grouped, nameIn } from '../../grouped.ts'
import type { ReportOracle } from '../../oracle.ts'

export const oracle: ReportOracle = (rows, question) =>
  grouped({
    facts: rows.deals,
    column: 'source_id',
    nameOf: nameIn(rows.deal_sources, 'name', 'Не указан'),
    label: 'source',
    figuresOf: deals => dealFigures(deals, question),
    measure: 'won_amount',
    summaryValues: ([first]) => {
      const hasBrought = first !== undefined && first.won_amount > 0n
      return { best: hasBrought && first.id !== null ? first.name : null }
    },
  })
