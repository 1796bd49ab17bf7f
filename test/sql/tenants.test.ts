// No definition returns or counts rows of another organization. Generated organizations have neighbours with the same
// ids, some of them twins, so that oracles detect a missing condition on the organization.
import { AssertionError, expect } from 'chai'
import type { Statement, StatementText } from '../../src/definitions/definition.ts'
import { comparisonsOf } from './comparison.ts'
import { generatedDatabase, NEIGHBOURS } from './generated/database.ts'
import type { GeneratedDatabase } from './generated/database.ts'
import { ourCatalog } from './subject.ts'

/** Enough to detect every missing condition. */
const SEEDS = [...NEIGHBOURS, 9, 18, ...Array.from({ length: 30 }, (_, at) => at + 1)]

const CONDITION =
  /[\w."]*organization_id"?\s*=\s*(?:\(\$\d+::uuid\)|[\w."]*organization_id"?)|\(\$\d+::uuid\)\s*=\s*[\w."]*organization_id"?/g
const ORGANIZATION = /\(\$\d+::uuid\)/g

/**
 * For each condition on the organization, the statement without it.
 * @throws Error if the placeholder occurs outside such a condition
 */
function withoutEachCondition(statement: Statement): Map<string, Statement> {
  const text = statement.text('uuid')
  const bound = text.match(ORGANIZATION) ?? []
  const conditions = [...text.matchAll(CONDITION)]
  const inConditions = conditions.flatMap(([condition]) => condition.match(ORGANIZATION) ?? [])
  if (inConditions.length !== bound.length) {
    throw new Error('write each :organization_id as table.organization_id = :organization_id')
  }
  return new Map(
    conditions.map(({ 0: condition, index }) => {
      const before = text.slice(0, index)
      // A bound value without a parameter in the text is an error.
      const changed = `${before}${bound[0]} is not null${text.slice(index + condition.length)}`
      const line = before.split('\n').length
      return [
        `${condition} in line ${line}`,
        { ...statement, text: () => changed as StatementText },
      ]
    }),
  )
}

describe('tenant isolation of the catalogue', function () {
  this.timeout(60_000)
  let database: GeneratedDatabase

  before(async () => {
    database = await generatedDatabase('svodka_tenants')
  })

  after(() => database?.end())

  it('breaks if any condition on the organization is removed', async () => {
    const comparisons = await comparisonsOf(ourCatalog())
    const changes = comparisons.flatMap(comparison =>
      [...withoutEachCondition(comparison.statement)].map(([condition, changed]) => ({
        what: `${comparison.name}: ${condition}`,
        changed,
        comparison,
      })),
    )
    let unnoticed = changes
    for (const seed of SEEDS) {
      if (unnoticed.length === 0) break
      await database.withOrganization(seed, async (client, asked) => {
        for (const { statement, compare } of new Set(unnoticed.map(one => one.comparison)))
          await compare(client, asked, statement)
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
            const isNoticed = isOther || error instanceof AssertionError
            if (!isNoticed) throw error
            await client.query('rollback to statement')
          }
        }
        unnoticed = left
      })
    }
    expect(unnoticed.map(({ what }) => what)).to.deep.equal([])
    expect(changes.length).to.be.at.least(2 * comparisons.length)
  })
})
