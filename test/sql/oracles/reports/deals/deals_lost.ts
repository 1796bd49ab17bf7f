/** Oracle of the report `deals_lost`. */
import { median, sum } from '../../arithmetic.ts'
import { DAY, microseconds } from '../../calendar.ts'
import { dateOf, happened } from '../../moments.ts'
import { byId, field, maybe } from '../../oracle.ts'
import type { OrganizationRows, RawRow, ReportOracle } from '../../oracle.ts'
import { ascending, byIdentity, byName, descending, inOrder } from '../../order.ts'
import { sharesOf, totalShare } from '../../shares.ts'
import { idText, split } from '../../grouped.ts'

/** «Не указана» if it is null or consists of spaces only. */
function reasonOf(deal: RawRow): string {
  const reason = maybe(deal, 'lost_reason')
  return reason === null || /^[ \t\r\n\u00a0]*$/.test(reason) ? 'Не указана' : reason
}

/** @returns the stage from which a deal was last moved to a lost one; null if there is none. */
function stagesLeft(rows: OrganizationRows): (deal: RawRow) => RawRow | null {
  const stages = byId(rows.deal_stages)
  const losses = rows.deal_stage_visits.filter(visit => {
    const to = stages.get(maybe(visit, 'to_stage_id') ?? '')
    return to !== undefined && field(to, 'kind') === 'lost'
  })
  const lossesOf = split(losses, visit => field(visit, 'deal_id'))
  return deal => {
    const visits = lossesOf.get(field(deal, 'id')) ?? []
    const last = visits
      .toSorted(
        inOrder(
          ascending(visit => microseconds(field(visit, 'left_at'))),
          byIdentity(visit => field(visit, 'id')),
        ),
      )
      .at(-1)
    return last === undefined ? null : (stages.get(field(last, 'stage_id')) ?? null)
  }
}

function figures(deals: readonly RawRow[]) {
  const age = (deal: RawRow) =>
    microseconds(field(deal, 'lost_at')) - microseconds(field(deal, 'created_at'))
  return {
    deals: BigInt(deals.length),
    amount: sum(deals.map(deal => BigInt(field(deal, 'amount_kopecks')))),
    median_days: median(deals.map(age), DAY),
  }
}

/** The most frequent reason; null if several are equally frequent, or if it is «Не указана». */
function mainReason(reasons: readonly string[]) {
  const count = (reason: string) => BigInt(reasons.filter(other => other === reason).length)
  const counts = [...new Set(reasons)].map(reason => ({ reason, deals: count(reason) }))
  const main = counts.find(({ reason, deals }) =>
    counts.every(other => other.reason === reason || other.deals < deals),
  )
  if (main === undefined) return { main_reason: null, main_deals: 0n }
  const isGiven = main.reason !== 'Не указана'
  return { main_reason: isGiven ? main.reason : null, main_deals: main.deals }
}

export const oracle: ReportOracle = (rows, question) => {
  const stageLeft = stagesLeft(rows)
  const lost = rows.deals
    .filter(deal => happened(dateOf(deal, 'lost_at', question.timeZone), question))
    .map(deal => ({ deal, reason: reasonOf(deal), stage: stageLeft(deal) }))
  const keyOf = ({ reason, stage }: (typeof lost)[number]) =>
    JSON.stringify([reason, stage === null ? null : field(stage, 'id')])
  const lines = [...split(lost, keyOf).values()].flatMap(group => {
    const [sample] = group
    if (sample === undefined) return []
    const { reason, stage } = sample
    return [{ reason, stage, ...figures(group.map(({ deal }) => deal)) }]
  })
  const ofReason = (reason: string) =>
    sum(lines.filter(line => line.reason === reason).map(line => line.amount))
  const ordered = lines.toSorted(
    inOrder(
      descending(line => ofReason(line.reason)),
      byName(line => line.reason),
      descending(line => line.amount),
      ascending(line => (line.stage === null ? 1n : 0n)),
      ascending(line => (line.stage === null ? 0n : BigInt(field(line.stage, 'position')))),
    ),
  )
  return {
    rows: sharesOf(ordered, line => line.amount).map(({ row, share }) => ({
      reason: row.reason,
      stage: row.stage === null ? 'Не указан' : field(row.stage, 'name'),
      stage_id: idText(row.stage === null ? null : field(row.stage, 'id')),
      deals: row.deals,
      amount: row.amount,
      share,
      median_days: row.median_days,
    })),
    totals: {
      ...figures(lost.map(({ deal }) => deal)),
      share: totalShare(ordered.map(line => line.amount)),
    },
    facts: mainReason(lost.map(({ reason }) => reason)),
  }
}
