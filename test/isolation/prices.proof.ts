// What the gateway's conditions on children cost: buffers of each statement, and of the same by hand.
import { expect } from 'chai'
import type { Client } from 'pg'
import type { Statement } from '../../src/definitions/definition.ts'
import { explainStatement } from '../../src/author/plans/explain.ts'
import { load } from '../definitions/sql-folder.ts'
import { productSql } from '../harness/fixtures.ts'
import { createTestDatabase } from '../harness/test-database.ts'
import { explain } from '../sql/cost/explain.ts'
import {
  connectAsReports,
  connected,
  DEMO_ORGANIZATIONS,
  ourCatalog,
  questions,
} from '../sql/subject.ts'
import { METRICS } from './clinics.ts'
import { PERIODS, PRICES, TENANCY } from './prices.ts'

const SHOPS = ['1', '2']
const ID = { placeholder: 'organization_id' }
const MOST = 1.3
const MOST_CASES = 1

/** @param isBare with rows of all organizations */
async function compiled(text: string, isBare: boolean): Promise<Statement> {
  const { metricsFiles } = await load({ 'tenancy.yaml': TENANCY, 'metrics/a.sql': METRICS + text })
  const { statement, source } = metricsFiles.get('a')!
  return isBare ? source.over(({ name }) => [`select * from public.${name}`]) : statement
}

describe('the price of tenancy', function () {
  this.timeout(240_000)
  let client: Client

  before(async () => {
    const { primaryUrl, change } = await createTestDatabase('isolation_prices')
    for (const statement of productSql('prices').split(';\n')) await change(statement)
    client = await connected(primaryUrl)
  })

  after(() => client?.end())

  async function buffers(
    statement: Statement,
    organizationId: string,
    period: (typeof PERIODS)[number],
  ) {
    const question = { period, today: '2026-01-01', now: '2026-01-01T09:00:00Z' }
    const values = statement.values({ organizationId, ...question, timeZone: 'UTC' })
    const text = statement.text('integer')
    const { rows } = await client.query({ text, values })
    const plan = await explainStatement(client, text, values, { timing: false })
    return { rows, buffers: plan.buffers }
  }

  it('is at most 1.3 times the buffers of a statement on children by hand', async () => {
    const above: string[] = []
    let count = 0
    for (const { name, text, byHand } of PRICES) {
      const [ours, hand] = [await compiled(text, false), await compiled(byHand, true)]
      for (const shop of SHOPS)
        for (const period of PERIODS) {
          const one = await buffers(ours, shop, period)
          const other = await buffers(hand, shop, period)
          expect(one.rows, name).to.deep.equal(other.rows)
          const ratio = one.buffers / other.buffers
          const line = `${name}, shop ${shop} from ${period.start} to ${period.end}: ${one.buffers} buffers, by hand ${other.buffers}: ${ratio.toFixed(2)}`
          process.stdout.write(`  price ${line}\n`)
          count += 1
          if (ratio > MOST) above.push(line)
        }
    }
    expect(count).to.equal(76)
    expect(above.length > MOST_CASES ? above : []).to.deep.equal([])
  })

  it('is nothing in our definitions, where the condition is evaluated first', async () => {
    const { reports, metricsFiles } = ourCatalog()
    const reader = await connectAsReports()
    const dearer: string[] = []
    for (const definition of [...reports.values(), ...metricsFiles.values()]) {
      const plain = definition.source.over(({ name, tenancy }) => [
        `select * from public.${name}`,
        ...(tenancy.kind === 'tenant' ? [` where ${tenancy.column} = `, ID] : []),
      ])
      for (const { name, id, timeZone } of DEMO_ORGANIZATIONS.slice(0, 4)) {
        for (const { name: period, question } of questions(Date.now, timeZone)) {
          if (!['this year', 'a month'].includes(period)) continue
          const other = await explain(reader, { statement: plain }, id, question)
          const one = await explain(reader, definition, id, question)
          const line = `${definition.name}, ${name}, ${period}: ${one.buffers} buffers, with = alone ${other.buffers}`
          process.stdout.write(`  price ${line}\n`)
          if (one.buffers / other.buffers > MOST) dearer.push(line)
        }
      }
    }
    await reader.end()
    expect(dearer).to.deep.equal([])
  })
})
