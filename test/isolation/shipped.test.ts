// In shipped definitions the gateway's condition on each table is required: without it, oracles fail. Generated
// organizations have neighbours with the same ids, some of them twins.
import { AssertionError, expect } from 'chai'
import { comparisonsOf } from '../sql/comparison.ts'
import { generatedDatabase, NEIGHBOURS, type GeneratedDatabase } from '../sql/generated/database.ts'
import { TABLES } from '../sql/oracles/oracle.ts'
import { ourCatalog } from '../sql/subject.ts'
import { NO_INDEXES, poisoned } from './poisoned.ts'

/** Enough to detect every missing condition. */
const SEEDS = [...NEIGHBOURS, 9, 18, ...Array.from({ length: 30 }, (_, at) => at + 1)]

const ID = { placeholder: 'organization_id' }

describe('tenant isolation of the catalogue', () => {
  let database: GeneratedDatabase

  before(async () => {
    database = await generatedDatabase('svodka_tenants')
  })

  after(() => database?.end())

  it('breaks if any table is read without the condition on the organization', async () => {
    const comparisons = await comparisonsOf(ourCatalog())
    const changes = comparisons.flatMap(comparison => {
      // why: a list of values may read others
      const text = comparison.statement.text('uuid')
      const tables = comparison.source.tables.filter(({ name }) => text.includes(`${name} as not`))
      return tables.map(table => ({
        what: `${comparison.name}: ${table.name}`,
        comparison,
        changed: comparison.source.over(({ name }) => [
          `select * from public.${name} where ${name === table.name} or organization_id = `,
          ID,
        ]),
      }))
    })
    let unnoticed = changes
    for (const seed of SEEDS) {
      if (unnoticed.length === 0) break
      await database.withOrganization(seed, async (client, asked) => {
        for (const { compare } of new Set(unnoticed.map(one => one.comparison)))
          await compare(client, asked)
        const left: typeof changes = []
        for (const change of unnoticed) {
          await client.query('savepoint statement')
          try {
            await change.comparison.compare(client, asked, change.changed)
            left.push(change)
          } catch (error) {
            // A foreign totals row and a subquery with two rows are detected too.
            const { code, message } = Object(error) as { code?: string; message?: string }
            const isOther = code === '21000' || message?.startsWith('row_count is')
            if (!isOther && !(error instanceof AssertionError)) throw error
            await client.query('rollback to statement')
          }
        }
        unnoticed = left
      })
    }
    expect(unnoticed.map(({ what }) => what)).to.deep.equal([])
    expect(changes.length).to.be.at.least(2 * comparisons.length)
  })

  it('reads no value of others, however tables are read', async () => {
    const comparisons = await comparisonsOf(ourCatalog())
    await database.withOrganization(NEIGHBOURS[0]!, async (client, asked) => {
      const others = `organization_id <> '${asked.organizationId}'`
      await client.query(poisoned(Object.fromEntries(TABLES.map(table => [table, others]))))
      const { rows } = await client.query('select max(amount_kopecks) as amount from operations')
      expect(rows).to.deep.equal([{ amount: '9223372036854775807' }])
      for (const settings of ['', NO_INDEXES]) {
        await client.query(settings)
        for (const { compare } of comparisons) await compare(client, asked)
      }
    })
  })
})
