/** Oracle of the report `requests_by_channel`. */
import { grouped, nameIn } from '../../grouped.ts'
import type { ReportOracle } from '../../oracle.ts'
import { requestFigures } from '../../request-facts.ts'

export const oracle: ReportOracle = (rows, question) =>
  grouped({
    facts: rows.requests,
    column: 'channel_id',
    nameOf: nameIn(rows.request_channels, 'name', 'Не указан'),
    label: 'channel',
    figuresOf: requests => requestFigures(requests, question),
    measure: 'received',
  })
