/** Bodies of all our reports, for the product's organization that has rows in each. */
import { expect } from 'chai'
import { after, before } from 'mocha'
import type { TestGateway } from '../harness/in-process-gateway.ts'
import { gatewayOf, seededProduct } from '../harness/seeded-product.ts'

/** Call it in a `describe`. */
export function productBodies() {
  const product = seededProduct()
  let gateway: TestGateway | undefined
  let key = ''
  before(async function () {
    this.timeout(120_000)
    const seeded = await product()
    key = seeded.named['ten thousand'].keys[0] ?? ''
    gateway = await gatewayOf(seeded)
  })
  after(() => gateway?.stop())

  return {
    /** @param path such as `operations.csv?from=2026-01-01` */
    fetchBody: async (path: string): Promise<Buffer> => {
      const url = `${gateway!.url}/api/public/v1/reports/${path}`
      const response = await fetch(url, { headers: { 'X-Api-Key': key } })
      const body = Buffer.from(await response.arrayBuffer())
      expect(response.status, response.ok ? path : `${path}: ${body.toString()}`).to.equal(200)
      return body
    },
  }
}
