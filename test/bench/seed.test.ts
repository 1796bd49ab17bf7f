import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import type { Ask } from '../support/ask.ts'
import type { TestGateway } from '../support/gateway.ts'
import { gatewayOf, seededProduct } from '../support/seeded-product.ts'
import type { ProductDatabase } from './product.ts'

describe('the seed of the benchmark, at a hundredth', () => {
  let product: ProductDatabase
  let gateway: TestGateway
  let ask: Ask

  const seeded = seededProduct()

  before(async function () {
    this.timeout(120_000)
    product = await seeded()
    gateway = await gatewayOf(product)
    const [key = ''] = product.named['ten thousand'].keys
    ask = asker(gateway.url, key)
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
})
