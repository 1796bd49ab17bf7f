/** Figures of a list of deals, for oracles. */
import { divide, percent, sum } from './arithmetic.ts'
import { localDate, microseconds } from './calendar.ts'
import { dateOf, happened, openAt } from './moments.ts'
import { field, type Question, type RawRow } from './oracle.ts'

export function dealFigures(deals: readonly RawRow[], question: Question) {
  const { period, timeZone } = question
  const all = deals.map(row => ({
    created: localDate(microseconds(field(row, 'created_at')), timeZone),
    won: dateOf(row, 'won_at', timeZone),
    lost: dateOf(row, 'lost_at', timeZone),
    amount: BigInt(field(row, 'amount_kopecks')),
  }))
  const count = (list: typeof all) => BigInt(list.length)
  const amount = (list: typeof all) => sum(list.map(deal => deal.amount))
  const won = all.filter(deal => happened(deal.won, question))
  const lost = all.filter(deal => happened(deal.lost, question))
  const open = all.filter(deal => openAt(period.end, deal.created, deal.won ?? deal.lost))
  return {
    created: count(all.filter(deal => happened(deal.created, question))),
    won: count(won),
    lost: count(lost),
    open: count(open),
    won_amount: amount(won),
    open_amount: amount(open),
    average_deal: won.length === 0 ? null : divide(amount(won), count(won)),
    win_rate: percent(count(won), count(won) + count(lost)),
  }
}
