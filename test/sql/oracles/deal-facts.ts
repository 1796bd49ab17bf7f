/** Figures of a list of deals, for oracles. */
import { count, divide, percent, sum } from './arithmetic.ts'
import { dateOf, dayOf, happened, openAt } from './calendar.ts'
import { kopecks, type Question, type RawRow } from './oracle.ts'

export function dealFigures(deals: readonly RawRow[], question: Question) {
  const { period, timeZone } = question
  const all = deals.map(row => ({
    created: dayOf(row, 'created_at', timeZone),
    won: dateOf(row, 'won_at', timeZone),
    lost: dateOf(row, 'lost_at', timeZone),
    amount: kopecks(row),
  }))
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
