import { expect } from 'chai'
import type { AccessCheck } from '../../src/serve/replica/key-database.ts'
import { transportError } from '../../src/serve/replica/classify-error.ts'
import type { RejectedStatement } from '../../src/serve/replica/dry-run.ts'
import { createDryRunResults } from '../../src/serve/dry-run/dry-run-results.ts'
import { load, METRICS, REPORT } from '../definitions/sql-folder.ts'

const TWO_FILES = { 'reports/shop/sales.sql': REPORT, 'metrics/shop.sql': METRICS }

const TWO = await load(TWO_FILES)

type Checked = Pick<AccessCheck, 'findings' | 'idType'>
const ofIds = async (idType: string): Promise<Checked> => ({ idType, findings: [] })

/** A replica that rejects the definitions in `refuses`, and records its calls in `asked`. */
function setUp() {
  const world = {
    checkAccess: (): Promise<Checked> => ofIds('integer'),
    away: false,
    refuses: [] as string[],
    asked: [] as string[][],
  }
  const dryRunResults = createDryRunResults({
    checkAccess: () => world.checkAccess(),
    dryRun: async statements => {
      world.asked.push(statements.map(({ name }) => name))
      if (world.away) return undefined
      const refused = statements.filter(({ name }) => world.refuses.includes(name))
      return refused.map(({ name, faultOf }): RejectedStatement => {
        const error = new Error('no')
        return { definition: name, finding: faultOf(error), error }
      })
    },
  })
  const catalog = TWO
  return { world, dryRunResults, catalog, plan: () => dryRunResults.dryRun(catalog) }
}

describe('dryRunResults', () => {
  it('plans a valid definition once, a rejected one each time, and all again for ids of another type', async () => {
    const { world, dryRunResults, catalog, plan } = setUp()
    expect(dryRunResults.stateOf(catalog)).to.equal('not yet')
    world.refuses = ['sales']
    const [refusal] = (await plan()) ?? []
    expect(refusal).to.deep.include({ definition: 'sales' })
    expect(refusal?.finding.file).to.equal('sql/reports/shop/sales.sql')
    expect(dryRunResults.stateOf(catalog)).to.deep.equal({ refused: 1 })
    expect(dryRunResults.refusedCount(catalog)).to.equal(1)
    expect(dryRunResults.refusedCount(await load(TWO_FILES)), 'of a new catalog').to.equal(0)
    world.refuses = []
    expect([await plan(), await plan()]).to.deep.equal([[], []])
    expect(dryRunResults.refusedCount(catalog)).to.equal(0)
    expect(dryRunResults.stateOf(catalog)).to.deep.equal({ refused: 0 })
    world.checkAccess = () => ofIds('uuid')
    await plan()
    const all = ['sales', 'metrics/shop']
    expect(world.asked).to.deep.equal([all, ['sales'], all])
  })

  it('waits until the replica is available for the first time, and postpones a later catalog', async () => {
    const { world, dryRunResults, catalog, plan } = setUp()
    world.away = true
    await plan()
    expect(dryRunResults.stateOf(catalog)).to.equal('not yet')
    world.away = false
    await plan()
    world.away = true
    const other = await load(TWO_FILES)
    expect(await dryRunResults.dryRun(other)).to.equal(undefined)
    expect(dryRunResults.stateOf(other)).to.equal('postponed')
    expect(dryRunResults.stateOf(catalog)).to.deep.equal({ refused: 0 })
  })

  it('rejects a key look-up only for an error in its SQL', async () => {
    const { world, dryRunResults, catalog, plan } = setUp()
    const fail = (reason: Error) => () => Promise.reject(reason)
    const unreachable = transportError(new Error('no connection'))
    const denied = Object.assign(new Error('no'), { code: '42501' })
    world.checkAccess = fail(unreachable)
    expect(await plan()).to.equal(undefined)
    expect(dryRunResults.stateOf(catalog)).to.equal('postponed')
    world.checkAccess = fail(denied)
    const [refusal] = (await plan()) ?? []
    expect(refusal?.finding.file).to.equal('sql/access/organization_by_key.sql')
    const findings = [{ file: 'access.sql', line: 3, message: 'key_hash is text' }]
    world.checkAccess = async () => ({ idType: undefined, findings })
    expect(await plan()).to.have.lengthOf(1)
    world.checkAccess = fail(unreachable)
    expect(await plan()).to.equal(undefined)
    expect(dryRunResults.stateOf(catalog), 'the last verdict').to.deep.equal({ rejected: findings })
    expect(dryRunResults.refusedCount(catalog), 'the access query').to.equal(1)
    world.checkAccess = () => ofIds('integer')
    await plan()
    expect(dryRunResults.stateOf(catalog)).to.deep.equal({ refused: 0 })
  })
})
