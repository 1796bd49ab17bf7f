/** Oracle of the report `sales_funnel`. */
import { count, median, percent, sum, sums } from '../../arithmetic.ts'
import { dateOf, DAY, dayOf, happened, microseconds, openAt } from '../../calendar.ts'
import { split } from '../../grouped.ts'
import { byId, field, kopecks, maybe, type RawRow, type ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'

const KINDS: Readonly<Record<string, string>> = { open: 'Рабочий', won: 'Успех', lost: 'Отказ' }

export const oracle: ReportOracle = (rows, question) => {
  const { period, timeZone } = question
  const stages = byId(rows.deal_stages)
  const deals = byId(rows.deals)
  const visits = rows.deal_stage_visits.map(row => ({
    row,
    entered: dayOf(row, 'entered_at', timeZone),
    left: dateOf(row, 'left_at', timeZone),
  }))
  const visitsOf = split(visits, ({ row }) => field(row, 'stage_id'))
  const advances = (from: RawRow, row: RawRow) => {
    const to = stages.get(maybe(row, 'to_stage_id') ?? '')
    if (to === undefined || field(to, 'kind') === 'lost') return false
    if (field(to, 'kind') === 'won') return true
    return Number(field(to, 'position')) > Number(field(from, 'position'))
  }
  const lines = rows.deal_stages
    .map(stage => {
      const stageKind = field(stage, 'kind')
      const here = visitsOf.get(field(stage, 'id')) ?? []
      const stays = stageKind === 'open' ? here : []
      const left = stays.filter(visit => happened(visit.left, question))
      const advanced = left.filter(visit => advances(stage, visit.row))
      const openOn = (date: string) =>
        stays.filter(visit => openAt(date, visit.entered, visit.left))
      const atEnd = openOn(period.end)
      return {
        stageKind,
        position: kopecks(stage, 'position'),
        stage: field(stage, 'name'),
        stage_id: field(stage, 'id'),
        kind: KINDS[stageKind] ?? null,
        at_start: count(openOn(period.start)),
        entered: count(here.filter(visit => happened(visit.entered, question))),
        left: count(left),
        advanced: count(advanced),
        conversion: percent(count(advanced), count(left)),
        at_end: count(atEnd),
        amount: sum(atEnd.map(({ row }) => kopecks(deals.get(field(row, 'deal_id'))!))),
        median_days: median(
          left.map(
            ({ row }) =>
              microseconds(field(row, 'left_at')) - microseconds(field(row, 'entered_at')),
          ),
          DAY,
        ),
      }
    })
    .filter(row => row.at_start + row.entered + row.left + row.at_end > 0n)
  const ended = (kind: string) =>
    sum(lines.filter(line => line.stageKind === kind).map(line => line.entered))
  return {
    rows: sorted(lines, 'position'),
    totals: {
      ...sums(lines, ['at_start', 'at_end', 'amount']),
      conversion: percent(ended('won'), ended('won') + ended('lost')),
    },
    facts: { won: ended('won'), lost: ended('lost') },
  }
}
