// A definition reads its organization's rows of its period: how many years lie before costs it nothing, unless its
// answer needs them as a balance does. Those are left out by themselves: with the years their answer is another.
// Counted in buffers, which a busy machine does not change.
import { expect } from 'chai'
import type { Client } from 'pg'
import type { Definition } from '../../../src/definitions/definition.ts'
import { compileStatement } from '../../../src/definitions/statement.ts'
import type { Plan } from '../../../src/plans/plan.ts'
import type { Question } from '../oracles/oracle.ts'
import { DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'
import { allowedGrowth } from './allowed-growth.ts'
import type { Product } from './allowed-growth.ts'
import { describeReads, explain } from './explain.ts'
import { buffersOfOwnRows, growingProduct, indexesOf } from './growing-product.ts'
import { addHistory, TABLES_WITH_HISTORY } from './own-history.ts'

const PERIODS = new Set(['last year', 'one day'])
const [{ id: SUBJECT, timeZone }] = DEMO_ORGANIZATIONS

/**
 * Copies of its rows. A plan for a table of a few pages reads all of it, and changes as it grows: some history comes
 * before the looks that are compared. Much is more than any organization has.
 */
const SOME = { from: 1, to: 10 }
const MUCH = { from: 11, to: 50 }

/** Definitions that read years which their answers do not need. */
const PLANTED = {
  'accruals by a day that no index has': `
    select category_id, sum(amount_kopecks) from operations
    where organization_id = :organization_id
      and operation_date + 0 >= :period_start
      and operation_date < :period_end
      and status = 'posted'
      and kind = 'income'
    group by category_id
    order by category_id`,
  'visits of all deals': `
    select count(deal_stage_visits.to_stage_id) from deals
    left join (select distinct on (deal_id) deal_id, to_stage_id from deal_stage_visits
        where organization_id = :organization_id order by deal_id, left_at desc) as deal_stage_visits
        on deal_stage_visits.deal_id = deals.id
    where deals.organization_id = :organization_id
      and deals.lost_at >= :period_start_at
      and deals.lost_at < :period_end_at`,
}

/** Those that read years which their answers do not need all the same, and why that is right. */
const READ_HISTORY: Readonly<Record<string, string>> = {
  profit_by_project:
    "it finds the documents of a period's movements among all lines and documents of the organization: a hash of these is cheaper than a look-up for each movement, and bounds on their ids made the median organization read six times as much",
}

const ADVICE =
  'Read a stretch of an index that begins with the organization and the day (sql/product/recommended-indexes.sql); where the years before are cheaper to read than to find, say so in READ_HISTORY.'

type Cheap = Pick<Definition, 'name' | 'statement'>

interface Look extends Product {
  /** By definition and period. */
  readonly runs: ReadonlyMap<string, Plan & { readonly answer: string }>
}

/** What it reads of the tables that have history: which plan is best for a directory may change with what it joins. */
function ofHistory(run: Plan, { indexes }: Product): Plan {
  const nodes = run.nodes.filter(({ table, index }) =>
    TABLES_WITH_HISTORY.has(table ?? indexes.get(index ?? '')?.table ?? ''),
  )
  return { ...run, nodes, buffers: nodes.reduce((sum, { buffers }) => sum + buffers, 0) }
}

describe('buffers of a definition and its history', function () {
  this.timeout(120_000)
  const { reports, metricsFiles } = ourCatalog()
  const shipped: readonly Cheap[] = [...reports.values(), ...metricsFiles.values()]
  const planted = Object.entries(PLANTED).map(([name, sql]) => {
    return { name, statement: compileStatement(sql) }
  })
  const asked = questions(Date.now, timeZone).filter(({ name }) => PERIODS.has(name))
  let client: Client
  let without: Look
  let some: Look
  let much: Look

  before(async () => {
    client = await growingProduct()
    without = await look()
    await addHistory(client, SUBJECT, SOME)
    some = await look()
    await addHistory(client, SUBJECT, MUCH)
    much = await look()
  })

  after(() => client?.end())

  async function look(): Promise<Look> {
    const runs = new Map<string, Plan & { answer: string }>()
    for (const definition of [...shipped, ...planted]) {
      for (const { name, question } of asked) {
        const run = await explain(client, definition, SUBJECT, question)
        const answer = await answerOf(definition, question)
        runs.set(`${definition.name} over ${name}`, { ...run, answer })
      }
    }
    const ownRows = await buffersOfOwnRows(client, SUBJECT)
    return { runs, indexes: await indexesOf(client), ownRows }
  }

  async function answerOf({ statement }: Cheap, question: Question): Promise<string> {
    const values = statement.values({ organizationId: SUBJECT, ...question })
    const { rows } = await client.query(statement.text('uuid'), [...values])
    return JSON.stringify(rows)
  }

  /** How its buffers have grown by more than is allowed, over the periods where they need not have. */
  function growth(definition: string): string {
    const found = asked.map(({ name }) => {
      const what = `${definition} over ${name}`
      const runs = [without, some, much].map(({ runs }) => runs.get(what)!)
      if (new Set(runs.map(({ answer }) => answer)).size > 1) return ''
      const [before, after] = [ofHistory(runs[1]!, some), ofHistory(runs[2]!, much)]
      const allowed = allowedGrowth(before, after, some, much)
      if (after.buffers <= before.buffers + allowed) return ''
      return `${what}, ${allowed} more allowed, with some history\n${describeReads(before)}\n  with much\n${describeReads(after)}\n${ADVICE}\n`
    })
    return found.join('')
  }

  for (const { name } of shipped) {
    const reason = READ_HISTORY[name]
    it(`${name} reads ${reason === undefined ? 'no history that its answer does not need' : `history: ${reason}`}`, () => {
      if (reason === undefined) expect(growth(name)).to.equal('')
      else expect(growth(name)).to.include(name)
    })
  }

  for (const { name } of planted) {
    it(`are seen to grow with ${name}`, () => expect(growth(name)).to.include(name))
  }
})
