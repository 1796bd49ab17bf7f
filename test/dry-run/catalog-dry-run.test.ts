import { expect } from 'chai'
import type { Catalog } from '../../src/definitions/definition.ts'
import type { Observation } from '../../src/model/observation.ts'
import { createCatalogDryRun } from '../../src/serve/dry-run/catalog-dry-run.ts'
import { until } from '../harness/until.ts'

describe('catalogDryRun', () => {
  it('plans refused definitions again until the replica accepts them, and reports them once', async () => {
    const finding = { file: 'sql/reports/shop/sales.sql', line: 7, message: 'no table' }
    const rejection = { definition: 'sales', finding, error: new Error('no table') }
    const facts: Observation[] = []
    let [planned, pages, refusedCount] = [0, 0, 0]
    const catalogDryRun = createCatalogDryRun({
      dryRunResults: {
        async dryRun() {
          planned += 1
          refusedCount = planned < 4 ? 1 : 0
          return planned < 4 ? [rejection] : []
        },
        stateOf: () => ({ refused: refusedCount }),
        refusedCount: () => refusedCount,
      },
      catalog: () => ({ organizations: undefined }) as Catalog,
      checkOrganizations: async () => [],
      onDryRun: () => (pages += 1),
      draining: () => false,
      correctedRetryMs: 1,
      observe: fact => facts.push(fact),
    })
    await catalogDryRun.now()
    await until(() => refusedCount === 0)
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(facts.map(({ kind }) => kind)).to.deep.equal(['definition-refused'])
    expect({ planned, pages }).to.deep.equal({ planned: 4, pages: 2 })
  })

  it('checks corrected rows of organizations also while a definition is refused', async () => {
    const finding = { file: 'sql/access/organizations.sql', line: undefined, message: 'no zone' }
    let checked = 0
    const catalogDryRun = createCatalogDryRun({
      dryRunResults: {
        dryRun: async () => [],
        stateOf: () => ({ refused: 1 }),
        refusedCount: () => 1,
      },
      catalog: () => ({ organizations: {} }) as Catalog,
      checkOrganizations: async () => ((checked += 1) < 3 ? [finding] : []),
      onDryRun: () => {},
      draining: () => checked === 4,
      correctedRetryMs: 1,
      observe: () => {},
    })
    await catalogDryRun.now()
    expect(catalogDryRun.organizations()).to.deep.equal([finding])
    await until(() => catalogDryRun.organizations().length === 0)
    checked = 4
  })
})
