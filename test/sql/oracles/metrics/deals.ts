/** Oracle of the metrics of deals. */
import { divide, percent, sum } from '../arithmetic.ts'
import { localDate, microseconds } from '../calendar.ts'
import { dateOf, happened, openAt } from '../moments.ts'
import { field } from '../oracle.ts'
import type { MetricsOracle } from '../oracle.ts'

export const oracle: MetricsOracle = (rows, question) => {
  const { period, timeZone } = question
  const deals = rows.deals.map(row => ({
    created: localDate(microseconds(field(row, 'created_at')), timeZone),
    won: dateOf(row, 'won_at', timeZone),
    lost: dateOf(row, 'lost_at', timeZone),
    amount: BigInt(field(row, 'amount_kopecks')),
  }))
  const count = (list: typeof deals) => BigInt(list.length)
  const amount = (list: typeof deals) => sum(list.map(deal => deal.amount))
  const open = deals.filter(deal => openAt(period.end, deal.created, deal.won ?? deal.lost))
  const won = deals.filter(deal => happened(deal.won, question))
  const lost = deals.filter(deal => happened(deal.lost, question))
  return {
    deals_open: count(open),
    deals_open_amount: amount(open),
    deals_won: count(won),
    deals_won_amount: amount(won),
    deal_conversion: percent(count(won), count(won) + count(lost)),
    average_deal: won.length === 0 ? null : divide(amount(won), count(won)),
  }
}
