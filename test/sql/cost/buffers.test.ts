// A definition reads its organization's rows: how many other organizations there are costs it nothing. Counted in
// buffers, which a busy machine does not change, and not in time.
import { expect } from 'chai'
import type { Client } from 'pg'
import { compileStatement } from '../../../src/definitions/statement.ts'
import type { Plan } from '../../../src/plans/plan.ts'
import { allowedGrowth } from './allowed-growth.ts'
import type { Product } from './allowed-growth.ts'
import { describeReads, explain } from './explain.ts'
import { buffersOfOwnRows, growingProduct, growTenfold, indexesOf } from './growing-product.ts'
import { DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'

const PERIODS = new Set(['this year', 'a month', 'all years'])
const [{ id: SUBJECT, timeZone }] = DEMO_ORGANIZATIONS

/** Definitions that read what others have. */
const PLANTED = {
  'the whole of a table': `
    select sum(amount_kopecks) from operations
    where coalesce(organization_id = :organization_id, false)`,
  'the whole of a directory': `
    select count(*) from counterparties where coalesce(organization_id = :organization_id, name is null)`,
  'everybody in the period': `
    select count(description) from operations
    where coalesce(organization_id = :organization_id, false)
      and operation_date >= :period_start
      and operation_date < :period_end`,
  'an index from end to end': `
    select count(*) from requests
    where organization_id::text = (:organization_id)::text
      and coalesce(closed_at, 'infinity') >= :period_end_at`,
}

interface Seen extends Product {
  readonly runs: ReadonlyMap<string, Plan>
}

describe('buffers of a definition', function () {
  this.timeout(120_000)
  const { reports, metricsFiles } = ourCatalog()
  const planted = Object.entries(PLANTED).map(([name, sql]) => ({
    name,
    statement: compileStatement(sql),
  }))
  const asked = questions(Date.now, timeZone).filter(({ name }) => PERIODS.has(name))
  let client: Client
  let few: Seen
  let many: Seen

  before(async () => {
    client = await growingProduct(SUBJECT)
    few = await look()
    await growTenfold(client)
    many = await look()
  })

  after(() => client?.end())

  async function look(): Promise<Seen> {
    const runs = new Map<string, Plan>()
    for (const definition of [...reports.values(), ...metricsFiles.values(), ...planted]) {
      for (const { name, question } of asked) {
        const run = await explain(client, definition, SUBJECT, question)
        runs.set(`${definition.name} over ${name}`, run)
      }
    }
    return {
      runs,
      indexes: await indexesOf(client),
      ownRows: await buffersOfOwnRows(client, SUBJECT),
    }
  }

  /** Says how a definition's buffers have grown by more than that, over the periods where they have. */
  function growth(definition: string): string {
    const found = asked.map(({ name }) => {
      const what = `${definition} over ${name}`
      const before = few.runs.get(what)
      const after = many.runs.get(what)
      if (before === undefined || after === undefined) throw new Error(`no run of ${what}`)
      const allowed = allowedGrowth(before, after, few, many)
      if (after.buffers <= before.buffers + allowed) return ''
      return `${what}, ${allowed} more allowed, with few organizations\n${describeReads(before)}\n  with many\n${describeReads(after)}\n`
    })
    return found.join('')
  }

  for (const { name } of [...reports.values(), ...metricsFiles.values()]) {
    it(`${name} reads as many when other organizations are ten times as many`, () => {
      expect(growth(name)).to.equal('')
    })
  }

  for (const { name } of planted) {
    it(`are seen to grow where one reads ${name}`, () => {
      expect(growth(name)).to.include(name)
    })
  }
})
