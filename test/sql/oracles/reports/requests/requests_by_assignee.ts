/** Oracle of the report `requests_by_assignee`. */
import { sum } from '../../arithmetic.ts'
import { grouped, nameIn } from '../../grouped.ts'
import { byId, type ReportOracle } from '../../oracle.ts'
import { requestFigures } from '../../request-facts.ts'

export const oracle: ReportOracle = (rows, question) =>
  grouped({
    facts: rows.requests,
    column: 'assignee_id',
    nameOf: nameIn(byId(rows.employees), 'full_name', 'Не назначен'),
    label: 'assignee',
    figuresOf: requests => requestFigures(requests, question),
    measure: figures => figures.received,
    summaryValues: lines => ({
      unassigned: sum(lines.filter(({ id }) => id === null).map(({ figures }) => figures.received)),
    }),
  })
