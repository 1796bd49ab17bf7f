/** Oracle of the report `deals`. */
import { sums } from '../../arithmetic.ts'
import { microseconds } from '../../calendar.ts'
import { nameIn } from '../../grouped.ts'
import { dateOf, happened } from '../../moments.ts'
import { byId, field, maybe, type RawRow, type ReportOracle } from '../../oracle.ts'
import { ascending, byIdentity, inOrder } from '../../order.ts'

function statusOf(deal: RawRow): string {
  if (maybe(deal, 'won_at') !== null) return 'Выиграна'
  return maybe(deal, 'lost_at') === null ? 'В работе' : 'Проиграна'
}

export const oracle: ReportOracle = (rows, question) => {
  const customer = nameIn(byId(rows.counterparties), 'name', null)
  const manager = nameIn(byId(rows.employees), 'full_name', null)
  const source = nameIn(byId(rows.deal_sources), 'name', null)
  const stage = nameIn(byId(rows.deal_stages), 'name', null)
  const found = rows.deals
    .filter(deal => happened(dateOf(deal, 'created_at', question.timeZone), question))
    .toSorted(
      inOrder(
        ascending(deal => microseconds(field(deal, 'created_at'))),
        byIdentity(deal => field(deal, 'id')),
      ),
    )
    .map(deal => {
      const amount = BigInt(field(deal, 'amount_kopecks'))
      return {
        deal_id: field(deal, 'id'),
        title: field(deal, 'title'),
        customer: customer(maybe(deal, 'counterparty_id')),
        manager: manager(maybe(deal, 'manager_id')),
        source: source(maybe(deal, 'source_id')),
        stage: stage(field(deal, 'stage_id')),
        status: statusOf(deal),
        created_at: field(deal, 'created_at'),
        closed_at: maybe(deal, 'won_at') ?? maybe(deal, 'lost_at'),
        amount,
        won_amount: maybe(deal, 'won_at') === null ? 0n : amount,
        updated_at: field(deal, 'updated_at'),
      }
    })
  const count = (status: string) => BigInt(found.filter(row => row.status === status).length)
  return {
    rows: found,
    totals: sums(found, ['amount', 'won_amount']),
    facts: { won: count('Выиграна'), lost: count('Проиграна'), open: count('В работе') },
  }
}
