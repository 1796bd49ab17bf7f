/** Deals of a generated organization and their way through the stages. */
import type { Microseconds } from '../oracles/calendar.ts'
import { instant } from './moments.ts'
import type { Setting } from './setting.ts'
import type { Generated } from './tables.ts'

const OPEN = [5, 1, 9]
const WON = 2
const LOST = [3, 8]

/** The longest reason that fits into an index entry; each letter has two bytes. */
const LONGEST_INDEXED = 'я'.repeat(500)

/** Reasons that consist of blanks, also of a tab, count as no reason. */
const REASONS = [null, '', '  ', 'Дорого', 'Дорого', 'дорого', 'Не указана', 'a "b", \n🙂', '\t']
/** The same reasons with long texts; equal reasons stay equal. */
const LONG_REASONS = REASONS.map(reason => {
  if (reason === 'Дорого') return LONGEST_INDEXED
  return reason === 'дорого' ? `${LONGEST_INDEXED}!` : reason
})

function generateStages({ name }: Setting): Generated[] {
  return [
    { id: 5, name: name(), position: 1, kind: 'open' },
    { id: 1, name: name(), position: 2, kind: 'open' },
    { id: 9, name: name(), position: 4, kind: 'open' },
    { id: WON, name: name(), position: 7, kind: 'won' },
    { id: 3, name: name(), position: 8, kind: 'lost' },
    { id: 8, name: name(), position: 11, kind: 'lost' },
  ]
}

interface Stay {
  readonly stage: number
  readonly from: Microseconds
  readonly until: Microseconds | null
  readonly to: number | null
}

/** From stage to stage until it stays in one; won and lost are final, except in badly imported data. */
function walk({ chance, pick, laterThan, loses, orderly }: Setting, from: Microseconds): Stay[] {
  const stays: Stay[] = []
  let stage = pick(OPEN)
  for (let at = from; ;) {
    const isFinal = !OPEN.includes(stage)
    const leaves = isFinal ? !orderly && LOST.includes(stage) && chance(0.3) : chance(0.75)
    if (!leaves) return [...stays, { stage, from: at, until: null, to: null }]
    const until = laterThan(at)
    const ways = isFinal ? LOST : [...OPEN, ...(loses ? LOST : [WON, WON]), ...LOST]
    const to = pick(ways.filter(other => other !== stage))
    stays.push({ stage, from: at, until, to })
    stage = to
    at = until
  }
}

export function generateDeals(
  setting: Setting,
  employees: readonly Generated[],
  counterparties: readonly Generated[],
) {
  const { some, name, chance, pick, amount, loses, moment, reference, orderly } = setting
  const sources: Generated[] = some(3).map(id => ({ id, name: name() }))
  const reasons = orderly ? REASONS : LONG_REASONS
  const visits: Generated[] = []
  const ids = loses ? Array.from({ length: 30 }, (_, id) => id) : some(20)
  const deals = ids.map(id => {
    const created = moment()
    const stays = walk(setting, created)
    const last = stays.at(-1)!
    const isLost = LOST.includes(last.stage)
    if (orderly || chance(0.8)) {
      for (const { stage, from, until, to } of stays) {
        visits.push({
          id: visits.length,
          deal_id: id,
          stage_id: stage,
          entered_at: instant(from),
          left_at: until === null ? null : instant(until),
          to_stage_id: to,
        })
      }
    }
    return {
      id,
      title: name(),
      amount_kopecks: pick(loses ? ['100', '200'] : ['0', amount(), amount()]),
      stage_id: last.stage,
      source_id: reference(sources),
      manager_id: reference(employees),
      counterparty_id: reference(counterparties),
      created_at: instant(created),
      won_at: last.stage === WON ? instant(last.from) : null,
      lost_at: isLost ? instant(last.from) : null,
      lost_reason: isLost ? pick(loses ? reasons.slice(4, 8) : reasons) : null,
      updated_at: instant(moment()),
    }
  })
  return {
    deal_sources: sources,
    deal_stages: chance(0.1) && deals.length === 0 ? [] : generateStages(setting),
    deals,
    deal_stage_visits: visits,
  }
}
