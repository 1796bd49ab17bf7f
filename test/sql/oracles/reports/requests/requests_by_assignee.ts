/** Oracle of the report `requests_by_assignee`. */
import { grouped, nameIn } from '../../grouped.ts'
import type { ReportOracle } from '../../oracle.ts'
import { requestFigures } from '../../request-facts.ts'

export const oracle: ReportOracle = (rows, question) =>
  grouped({
    facts: rows.requests,
    column: 'assignee_id',
    nameOf: nameIn(rows.employees, 'full_name', 'Не назначен'),
    label: 'assignee',
    figuresOf: requests => requestFigures(requests, question),
    measure: 'received',
    summaryValues: lines => ({
      unassigned: lines.find(({ id }) => id === null)?.received ?? 0n,
    }),
  })
