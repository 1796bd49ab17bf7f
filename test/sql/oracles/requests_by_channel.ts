/** Oracle of the report `requests_by_channel`. */
import { byId, field, maybe } from './oracle.ts'
import type { ReportOracle } from './oracle.ts'
import { byIdentity, byName, descending, inOrder } from './order.ts'
import { requestFigures } from './request-facts.ts'

export const requestsByChannel: ReportOracle = (rows, question) => {
  const channels = byId(rows.request_channels)
  const ids = [...new Set(rows.requests.map(request => maybe(request, 'channel_id')))]
  const lines = ids.map(id => {
    const channel = channels.get(id ?? '')
    return {
      id,
      channel: channel === undefined ? 'Не указан' : field(channel, 'name'),
      figures: requestFigures(
        rows.requests.filter(request => maybe(request, 'channel_id') === id),
        question,
      ),
    }
  })
  return {
    rows: lines
      .filter(({ figures }) => Object.values(figures).some(value => value !== 0n && value !== null))
      .toSorted(
        inOrder(
          descending(line => line.figures.received),
          byName(line => line.channel),
          byIdentity(line => line.id),
        ),
      )
      .map(({ channel, figures }) => Object.assign({ channel }, figures)),
    totals: requestFigures(rows.requests, question),
  }
}
