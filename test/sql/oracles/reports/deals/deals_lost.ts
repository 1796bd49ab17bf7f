/** Oracle of the report `deals_lost`. */
import { count, median, percent, sum } from '../../arithmetic.ts'
import { dateOf, DAY, happened, microseconds } from '../../calendar.ts'
import { idText, nameIn, split } from '../../grouped.ts'
import { byId, field, kopecks, maybe } from '../../oracle.ts'
import type { OrganizationRows, RawRow, ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'
import { withShares } from '../../shares.ts'

/** «Не указана» if it is null or consists of spaces only. */
function reasonOf(deal: RawRow): string {
  const reason = maybe(deal, 'lost_reason')
  return reason === null || /^[ \t\r\n\u00a0]*$/.test(reason) ? 'Не указана' : reason
}

/** @returns the stage from which a deal was last moved to a lost one; undefined if there is none. */
function stagesLeft(rows: OrganizationRows): (deal: RawRow) => RawRow | undefined {
  const stages = byId(rows.deal_stages)
  const kindOf = nameIn(rows.deal_stages, 'kind')
  const losses = rows.deal_stage_visits
    .filter(visit => kindOf(maybe(visit, 'to_stage_id')) === 'lost')
    .map(visit => ({
      id: field(visit, 'id'),
      deal: field(visit, 'deal_id'),
      stage: field(visit, 'stage_id'),
      leftAt: microseconds(field(visit, 'left_at')),
    }))
  const lossesOf = split(sorted(losses, 'leftAt', '#id'), ({ deal }) => deal)
  return deal => stages.get(lossesOf.get(field(deal, 'id'))?.at(-1)?.stage ?? '')
}

function figures(deals: readonly RawRow[]) {
  const age = (deal: RawRow) =>
    microseconds(field(deal, 'lost_at')) - microseconds(field(deal, 'created_at'))
  return {
    deals: count(deals),
    amount: sum(deals.map(deal => kopecks(deal))),
    median_days: median(deals.map(age), DAY),
  }
}

/** The most frequent reason; null if several are equally frequent, or if it is «Не указана». */
function mainReason(reasons: readonly string[]) {
  const counts = [...split(reasons, reason => reason)].map(([reason, all]) => {
    return { main_reason: reason === 'Не указана' ? null : reason, main_deals: count(all) }
  })
  const [main, second] = sorted(counts, '-main_deals')
  if (main === undefined || main.main_deals === second?.main_deals)
    return { main_reason: null, main_deals: 0n }
  return main
}

export const oracle: ReportOracle = (rows, question) => {
  const stageLeft = stagesLeft(rows)
  const lost = rows.deals.filter(deal =>
    happened(dateOf(deal, 'lost_at', question.timeZone), question),
  )
  const ofReasons = [...split(lost, reasonOf)].flatMap(([reason, deals]) =>
    [...split(deals, stageLeft)].map(([stage, own]) => ({
      reason,
      of_reason: figures(deals).amount,
      stage: stage === undefined ? 'Не указан' : field(stage, 'name'),
      stage_id: idText(stage === undefined ? null : field(stage, 'id')),
      // Deals without a stage are last.
      position: stage === undefined ? 1_000_000n : kopecks(stage, 'position'),
      ...figures(own),
    })),
  )
  const ordered = sorted(ofReasons, '-of_reason', 'reason', '-amount', 'position')
  const totals = figures(lost)
  return {
    rows: withShares(ordered, 'amount'),
    totals: { ...totals, share: percent(totals.amount, totals.amount) },
    facts: mainReason(lost.map(reasonOf)),
  }
}
