/** Edges of deals that are lost in the period, by reason and by the stage that they left. */
import type { Question } from '../oracles/oracle.ts'
import { byId, groups, isWithin, text, total } from './edges.ts'
import type { Edge } from './edges.ts'
import type { Generated, GeneratedTables } from './tables.ts'

/** Deals by reason, as it is written, each with those of a stage. */
type Losses = readonly { readonly deals: Generated[]; readonly byStage: Map<string, Generated[]> }[]

/** The stage that a deal left for a lost one; nothing where there is none or where there are several. */
function stageLeft({ deal_stages, deal_stage_visits }: GeneratedTables, deal: Generated): string {
  const stages = byId(deal_stages)
  const left = deal_stage_visits
    .filter(visit => visit['deal_id'] === deal['id'])
    .filter(visit => stages.get(text(visit, 'to_stage_id'))?.['kind'] === 'lost')
  return left.length === 1 ? text(left[0]!, 'stage_id') : ''
}

function lossesOf(tables: GeneratedTables, question: Question): Losses {
  const lost = tables.deals
    .filter(deal => isWithin(deal, 'lost_at', question))
    .map(deal => Object.assign({ stage: stageLeft(tables, deal) }, deal))
  const given = lost.filter(deal => text(deal, 'lost_reason').trim() !== '')
  return [...groups(given, 'lost_reason').values()].map(deals => ({
    deals,
    byStage: groups(deals, 'stage'),
  }))
}

function edge(name: string, is: (losses: Losses) => boolean): Edge {
  return { name, occurs: (tables, question) => is(lossesOf(tables, question)) }
}

function largestRow({ byStage }: Losses[number]): bigint {
  const amounts = [...byStage.values()].map(total)
  return amounts.reduce((a, b) => (a > b ? a : b))
}

/** How many deals the most frequent reasons have, and how many such there are. */
function mostFrequent(losses: Losses): { deals: number; reasons: number } {
  const counts = losses.map(({ deals }) => deals.length)
  const deals = Math.max(0, ...counts)
  return { deals, reasons: counts.filter(count => count === deals).length }
}

export const EDGES_OF_LOSSES: readonly Edge[] = [
  edge('a reason with more money than one whose largest row has more', losses =>
    losses.some(one =>
      losses.some(
        other => total(one.deals) > total(other.deals) && largestRow(one) < largestRow(other),
      ),
    ),
  ),
  edge('two reasons with as much money', losses => {
    const totals = losses.map(({ deals }) => total(deals)).filter(amount => amount > 0n)
    return new Set(totals).size < totals.length
  }),
  edge('two stages of a reason with as much money', losses =>
    losses.some(({ byStage }) => {
      const totals = [...byStage].filter(([stage]) => stage !== '').map(([, deals]) => total(deals))
      return new Set(totals).size < totals.length
    }),
  ),
  edge('a reason with a stage and without one', losses =>
    losses.some(({ byStage }) => byStage.has('') && byStage.size > 1),
  ),
  edge('one reason that is the most frequent', losses => {
    const { deals, reasons } = mostFrequent(losses)
    return deals > 1 && reasons === 1 && losses.length > 1
  }),
  edge('several reasons that are the most frequent', losses => {
    const { deals, reasons } = mostFrequent(losses)
    return deals > 1 && reasons > 1
  }),
  edge('reasons of one deal each', losses => {
    const { deals, reasons } = mostFrequent(losses)
    return deals === 1 && reasons > 1
  }),
  {
    name: 'one lost deal',
    occurs: ({ deals }, question) =>
      deals.filter(deal => isWithin(deal, 'lost_at', question)).length === 1,
  },
]
