/** Oracle of the report `sales_funnel`. */
import { median, percent, sum, sums } from '../../arithmetic.ts'
import { DAY, localDate, microseconds } from '../../calendar.ts'
import { dateOf, happened, openAt } from '../../moments.ts'
import { byId, field, maybe, type RawRow, type ReportOracle } from '../../oracle.ts'
import { ascending } from '../../order.ts'

const KINDS = new Map([
  ['open', 'Рабочий'],
  ['won', 'Успех'],
  ['lost', 'Отказ'],
])

function count(list: readonly unknown[]): bigint {
  return BigInt(list.length)
}

export const oracle: ReportOracle = (rows, question) => {
  const { period, timeZone } = question
  const stages = byId(rows.deal_stages)
  const deals = byId(rows.deals)
  const visits = rows.deal_stage_visits.map(row => ({
    row,
    entered: localDate(microseconds(field(row, 'entered_at')), timeZone),
    left: dateOf(row, 'left_at', timeZone),
  }))
  const advances = (from: RawRow, row: RawRow) => {
    const to = stages.get(maybe(row, 'to_stage_id') ?? '')
    if (to === undefined || field(to, 'kind') === 'lost') return false
    if (field(to, 'kind') === 'won') return true
    return Number(field(to, 'position')) > Number(field(from, 'position'))
  }

  const lines = rows.deal_stages
    .toSorted(ascending(stage => BigInt(field(stage, 'position'))))
    .map(stage => {
      const kind = field(stage, 'kind')
      const final = kind !== 'open'
      const here = visits.filter(({ row }) => field(row, 'stage_id') === field(stage, 'id'))
      const entered = here.filter(visit => happened(visit.entered, question))
      const left = final ? [] : here.filter(visit => happened(visit.left, question))
      const advanced = left.filter(visit => advances(stage, visit.row))
      const openOn = (date: string) =>
        final ? [] : here.filter(visit => openAt(date, visit.entered, visit.left))
      const atEnd = openOn(period.end)
      const amounts = atEnd.map(({ row }) => {
        const deal = deals.get(field(row, 'deal_id'))
        if (deal === undefined) throw new Error('a visit without a deal')
        return BigInt(field(deal, 'amount_kopecks'))
      })
      const stays = left.map(
        ({ row }) => microseconds(field(row, 'left_at')) - microseconds(field(row, 'entered_at')),
      )
      return {
        stageKind: kind,
        row: {
          stage: field(stage, 'name'),
          stage_id: field(stage, 'id'),
          kind: KINDS.get(kind) ?? null,
          at_start: count(openOn(period.start)),
          entered: count(entered),
          left: count(left),
          advanced: count(advanced),
          conversion: percent(count(advanced), count(left)),
          at_end: count(atEnd),
          amount: sum(amounts),
          median_days: median(stays, DAY),
        },
      }
    })
    .filter(({ row }) => row.at_start + row.entered + row.left + row.at_end > 0n)
  const ended = (kind: string) =>
    sum(lines.filter(line => line.stageKind === kind).map(line => line.row.entered))
  return {
    rows: lines.map(line => line.row),
    totals: {
      ...sums(
        lines.map(({ row }) => row),
        ['at_start', 'at_end', 'amount'],
      ),
      conversion: percent(ended('won'), ended('won') + ended('lost')),
    },
    facts: { won: ended('won'), lost: ended('lost') },
  }
}
