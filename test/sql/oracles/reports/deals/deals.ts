/** Oracle of the report `deals`. */
import { count, sums } from '../../arithmetic.ts'
import { dateOf, happened, microseconds } from '../../calendar.ts'
import { nameIn } from '../../grouped.ts'
import { field, kopecks, maybe, type RawRow, type ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'

function statusOf(deal: RawRow): string {
  if (maybe(deal, 'won_at') !== null) return 'Выиграна'
  return maybe(deal, 'lost_at') === null ? 'В работе' : 'Проиграна'
}

export const oracle: ReportOracle = (rows, question) => {
  const customer = nameIn(rows.counterparties, 'name')
  const manager = nameIn(rows.employees, 'full_name')
  const source = nameIn(rows.deal_sources, 'name')
  const stage = nameIn(rows.deal_stages, 'name')
  const found = rows.deals
    .filter(deal => happened(dateOf(deal, 'created_at', question.timeZone), question))
    .map(deal => ({
      deal_id: field(deal, 'id'),
      title: field(deal, 'title'),
      customer: customer(maybe(deal, 'counterparty_id')),
      manager: manager(maybe(deal, 'manager_id')),
      source: source(maybe(deal, 'source_id')),
      stage: stage(field(deal, 'stage_id')),
      status: statusOf(deal),
      createdAt: microseconds(field(deal, 'created_at')),
      created_at: field(deal, 'created_at'),
      closed_at: maybe(deal, 'won_at') ?? maybe(deal, 'lost_at'),
      amount: kopecks(deal),
      won_amount: maybe(deal, 'won_at') === null ? 0n : kopecks(deal),
      updated_at: field(deal, 'updated_at'),
    }))
  const of = (status: string) => count(found.filter(row => row.status === status))
  return {
    rows: sorted(found, 'createdAt', '#deal_id'),
    totals: sums(found, ['amount', 'won_amount']),
    facts: { won: of('Выиграна'), lost: of('Проиграна'), open: of('В работе') },
  }
}
