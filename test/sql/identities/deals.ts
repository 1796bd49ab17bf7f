/** Identities of deals. */
import { expect } from 'chai'
import { byId, field, maybe } from '../oracles/oracle.ts'
import type { OrganizationRows, RawRow } from '../oracles/oracle.ts'
import { split } from '../oracles/split.ts'
import { exact, expectSame, previous, total } from './identity.ts'
import type { Identity } from './identity.ts'

/** Every deal was always in one stage, and has ended exactly when it came to a final one. */
function visitsGoWithDeals(rows: OrganizationRows): boolean {
  const stages = byId(rows.deal_stages)
  const visits = split(rows.deal_stage_visits, visit => field(visit, 'deal_id'))
  const kindOf = (visit: RawRow) => stages.get(field(visit, 'stage_id'))?.['kind']
  return rows.deals.every(deal => {
    const stays = visits.get(field(deal, 'id')) ?? []
    const unfinished = stays.filter(visit => maybe(visit, 'left_at') === null)
    const [current] = unfinished
    if (current === undefined || unfinished.length > 1) return false
    const kind = kindOf(current)
    const endedAt = maybe(deal, 'won_at') ?? maybe(deal, 'lost_at')
    const begins = stays.filter(visit => field(visit, 'entered_at') === field(deal, 'created_at'))
    return (
      begins.length > 0 &&
      stays.every(visit => visit === current || kindOf(visit) === 'open') &&
      (kind === 'open' ? endedAt === null : endedAt === field(current, 'entered_at')) &&
      (kind === 'won') === (maybe(deal, 'won_at') !== null)
    )
  })
}

function expectDescending(amounts: readonly bigint[]): void {
  for (const [at, amount] of amounts.slice(1).entries()) {
    expect(amount <= (amounts[at] ?? amount), `${amount} after ${amounts[at]}`).to.equal(true)
  }
}

export const DEALS: readonly Identity[] = [
  {
    name: 'visits come, leave and stay, in every stage',
    async check(ask, question) {
      const { rows, totals } = await ask.report('sales_funnel', question)
      for (const row of rows.filter(row => row['kind'] === 'Рабочий')) {
        const stay = exact(row, 'at_start') + exact(row, 'entered') - exact(row, 'left')
        expect(stay).to.equal(exact(row, 'at_end'))
      }
      const before = await ask.report('sales_funnel', previous(question))
      expect(before.totals['at_end']).to.equal(totals['at_start'])
    },
  },
  {
    name: 'deals by manager and by source are those of the metrics',
    async check(ask, question) {
      const figures = await ask.metrics('deals', question)
      const metrics = {
        open: 'deals_open',
        open_amount: 'deals_open_amount',
        won: 'deals_won',
        won_amount: 'deals_won_amount',
        win_rate: 'deal_conversion',
        average_deal: 'average_deal',
      }
      const managers = await ask.report('deals_by_manager', question)
      const sources = await ask.report('deals_by_source', question)
      expectSame(
        'by manager and by source',
        figures,
        { of: managers.totals, by: metrics },
        { of: sources.totals, by: metrics },
      )
      expectSame('by source', managers.totals, {
        of: sources.totals,
        by: { created: 'created', lost: 'lost' },
      })
    },
  },
  {
    name: 'deals are created, end and stay, by manager and in the register',
    async check(ask, question) {
      const { rows, totals } = await ask.report('deals_by_manager', question)
      const before = await ask.report('deals_by_manager', previous(question))
      expect(
        exact(before.totals, 'open') +
          exact(totals, 'created') -
          exact(totals, 'won') -
          exact(totals, 'lost'),
      ).to.equal(exact(totals, 'open'))
      for (const row of rows) {
        if (row['won'] === '0') expect(row['won_amount']).to.equal('0')
      }
      const register = await ask.report('deals', question)
      expect(totals['created']).to.equal(String(register.rows.length))
    },
  },
  {
    name: 'lost deals come by reason, the one with the most money first, and by stage alike',
    async check(ask, question) {
      const { rows, totals } = await ask.report('deals_lost', question)
      const reasons = [...new Set(rows.map(row => row['reason'] ?? ''))]
      const byReason = reasons.map(reason => rows.filter(row => row['reason'] === reason))
      expect(rows).to.deep.equal(byReason.flat())
      expectDescending(byReason.map(ofReason => total(ofReason, 'amount')))
      for (const ofReason of byReason) {
        expectDescending(ofReason.map(row => exact(row, 'amount')))
      }
      for (const column of ['deals', 'amount']) {
        expect(total(rows, column), column).to.equal(exact(totals, column))
      }
    },
  },
  {
    name: 'lost deals by reason are those by manager',
    async check(ask, question) {
      const { totals } = await ask.report('deals_lost', question)
      const managers = await ask.report('deals_by_manager', question)
      expect(totals['deals']).to.equal(managers.totals['lost'])
    },
  },
  {
    name: 'the funnel ends with the deals of the metrics, where visits go with deals',
    holds: visitsGoWithDeals,
    async check(ask, question) {
      const { totals } = await ask.report('sales_funnel', question)
      const figures = await ask.metrics('deals', question)
      expectSame('the metrics', totals, {
        of: figures,
        by: {
          deals_open: 'at_end',
          deals_open_amount: 'amount',
          deals_won: 'won',
          deal_conversion: 'conversion',
        },
      })
    },
  },
  {
    name: 'the funnel loses the deals of the reasons, where visits go with deals',
    holds: visitsGoWithDeals,
    async check(ask, question) {
      const { totals } = await ask.report('sales_funnel', question)
      const lost = await ask.report('deals_lost', question)
      expect(lost.totals['deals']).to.equal(totals['lost'])
    },
  },
]
