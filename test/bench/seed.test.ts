import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import type { Ask } from '../support/ask.ts'
import { sharedCluster } from '../support/cluster.ts'
import { startGateway } from '../support/gateway.ts'
import type { TestGateway } from '../support/gateway.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ourCatalog } from '../sql/subject.ts'
import { seedProduct } from './product.ts'
import type { ProductDatabase } from './product.ts'

describe('the seed of the benchmark, at a hundredth', () => {
  let product: ProductDatabase
  let gateway: TestGateway
  let ask: Ask

  before(async function () {
    this.timeout(60_000)
    const cluster = await sharedCluster()
    const folder = temporaryFolder()
    product = await seedProduct(cluster, { database: 'svodka_bench', folder, scale: 0.01 })
    gateway = await startGateway({
      DATABASE_URL: product.urls.reports,
      KEYS_DATABASE_URL: product.urls.keys,
      PROBE_DATABASE_URL: product.urls.probe,
    })
    const [key = ''] = product.named['ten thousand'].keys
    ask = asker(gateway.url, key)
    await gateway.ready()
  })
  after(() => gateway?.stop())

  it('has 200 organizations, 2,000 keys, and the posted operations that it says', async () => {
    const { named, ordinary } = product
    expect(ordinary).to.have.length(195)
    const all = [...Object.values(named), ...ordinary]
    expect(new Set(all.flatMap(({ keys }) => keys)).size).to.equal(2000)
    expect(named.million.postedThisYear).to.equal(10_000)
    expect(named['two hundred thousand'].postedThisYear).to.equal(2000)
    const [key] = named.million.keys
    const { json } = await ask('/reports/operations', { key })
    expect(json.rows).to.have.length(10_000)
  })

  for (const code of ourCatalog().reports.keys()) {
    it(`has rows for ${code}`, async () => {
      const { status, json } = await ask(`/reports/${code}`)
      expect(status).to.equal(200)
      expect(json.rows).to.not.have.length(0)
    })
  }
})
