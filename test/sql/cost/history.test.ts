// A definition reads its organization's rows of its period: how many years lie before costs it nothing, unless its
// answer needs them as a balance does. Those are left out by themselves: with the years their answer is another.
import { expect } from 'chai'
import type { Client } from 'pg'
import { compileStatement } from '../../../src/definitions/statement.ts'
import type { Definition } from '../../../src/definitions/definition.ts'
import type { Plan } from '../../../src/plans/plan.ts'
import { allowedGrowth } from './allowed-growth.ts'
import type { Product } from './allowed-growth.ts'
import { describeReads, explain } from './explain.ts'
import { buffersOfOwnRows, growingProduct, indexesOf } from './growing-product.ts'
import { addHistory, TABLES_WITH_HISTORY } from './own-history.ts'
import { DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'
import type { Question } from '../oracles/oracle.ts'

const PERIODS = new Set(['last year', 'a month', 'one day'])
const [{ id: SUBJECT, timeZone }] = DEMO_ORGANIZATIONS

/**
 * Copies of its rows. Some history before either look: a plan for a table of a few pages reads all of it, and changes
 * as it grows. Much is more than any organization has, so that what is read of it stands out.
 */
const SOME = 10
const MUCH = 50

/** Of the whole catalogue; each must be asked for something that it can answer without the years before. */
const NEED_NO_HISTORY = 20

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
  'deals by an end that no index has': `
    select count(*), sum(amount_kopecks) from deals
    where organization_id = :organization_id
      and created_at < :period_end_at
      and (won_at is null or won_at >= :period_start_at)
      and (lost_at is null or lost_at >= :period_start_at)`,
  'requests that are open or were': `
    select assignee_id, count(*) from requests
    where organization_id = :organization_id
      and received_at < :period_end_at
      and (closed_at is null or closed_at >= :period_start_at)
    group by assignee_id
    order by assignee_id`,
  'tasks by their creation alone': `
    select count(*) filter (where coalesce(completed_at, cancelled_at, 'infinity') >= :period_start_at) from tasks
    where organization_id = :organization_id
      and created_at < :period_end_at`,
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

const BALANCE = {
  name: 'a balance',
  statement: compileStatement(`
    select sum(amount_kopecks) from operations
    where organization_id = :organization_id and paid_on < :period_end`),
}

interface Asked extends Plan {
  readonly answer: string
}

interface Seen extends Product {
  readonly runs: ReadonlyMap<string, Asked>
}

type Cheap = Pick<Definition, 'name' | 'statement'>

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
  const planted: readonly Cheap[] = Object.entries(PLANTED).map(([name, sql]) => ({
    name,
    statement: compileStatement(sql),
  }))
  const asked = questions(Date.now, timeZone).filter(({ name }) => PERIODS.has(name))
  let client: Client
  let without: Seen
  let some: Seen
  let much: Seen

  before(async () => {
    client = await growingProduct(SUBJECT)
    without = await look()
    await addHistory(client, SUBJECT, { from: 1, to: SOME })
    some = await look()
    await addHistory(client, SUBJECT, { from: SOME + 1, to: MUCH })
    much = await look()
  })

  after(() => client?.end())

  async function look(): Promise<Seen> {
    const runs = new Map<string, Asked>()
    for (const definition of [...shipped, ...planted, BALANCE]) {
      for (const { name, question } of asked) {
        const run = await explain(client, definition, SUBJECT, question)
        const answer = await answerOf(definition, question)
        runs.set(`${definition.name} over ${name}`, { ...run, answer })
      }
    }
    return {
      runs,
      indexes: await indexesOf(client),
      ownRows: await buffersOfOwnRows(client, SUBJECT),
    }
  }

  async function answerOf({ statement }: Cheap, question: Question): Promise<string> {
    const values = statement.values({ organizationId: SUBJECT, ...question })
    const { rows } = await client.query(statement.text('uuid'), [...values])
    return JSON.stringify(rows)
  }

  function asks(definition: string) {
    return asked.map(({ name }) => {
      const what = `${definition} over ${name}`
      const [first, before, after] = [without, some, much].map(({ runs }) => runs.get(what))
      if (!first || !before || !after) throw new Error(`no run of ${what}`)
      const needsHistory = first.answer !== before.answer || before.answer !== after.answer
      return { what, needsHistory, before: ofHistory(before, some), after: ofHistory(after, much) }
    })
  }

  /** Says how a definition's buffers have grown by more than that, over the periods where they need not have. */
  function growth(definition: string): string {
    const found = asks(definition).map(({ what, before, after, needsHistory }) => {
      const allowed = allowedGrowth(before, after, some, much)
      if (needsHistory || after.buffers <= before.buffers + allowed) return ''
      return `${what}, ${allowed} more allowed, with some history\n${describeReads(before)}\n  with much\n${describeReads(after)}\n`
    })
    const said = found.join('')
    return said === '' ? '' : `${said}${ADVICE}`
  }

  for (const { name } of shipped) {
    if (Object.hasOwn(READ_HISTORY, name)) {
      it(`${name} is known to read history that its answer does not need`, () => {
        expect(growth(name)).to.include(name)
      })
    } else {
      it(`${name} reads no history that its answer does not need`, () => {
        expect(growth(name)).to.equal('')
      })
    }
  }

  it('are counted in most of the catalogue', () => {
    const free = shipped.filter(({ name }) => asks(name).every(({ needsHistory }) => !needsHistory))
    expect(free.length).to.be.at.least(NEED_NO_HISTORY)
  })

  it('may be of all history where it is a balance', () => {
    expect(asks(BALANCE.name).every(({ needsHistory }) => needsHistory)).to.equal(true)
  })

  for (const { name } of planted) {
    it(`are seen to grow with ${name}`, () => {
      expect(growth(name)).to.include(name)
    })
  }
})
