/** Bodies of all our reports, for demo organizations that have rows in each. */
import { expect } from 'chai'
import { after, before } from 'mocha'
import { startGateway, type TestGateway } from '../harness/gateway.ts'

/** Call it in a `describe`. */
export function productBodies() {
  let gateway: TestGateway | undefined
  before(async () => {
    gateway = await startGateway({}, { database: 'demo' })
  })
  after(() => gateway?.stop())

  return {
    /** @param path such as `operations.csv?preset=excel` @param query such as `from=2026-01-01` */
    fetchBody: async (path: string, query: string, key = 'sk_demo_business'): Promise<Buffer> => {
      const url = `${gateway!.url}/api/public/v1/reports/${path}${path.includes('?') ? '&' : '?'}${query}`
      const response = await fetch(url, { headers: { 'X-Api-Key': key } })
      const body = Buffer.from(await response.arrayBuffer())
      expect(response.status, response.ok ? url : `${url}: ${body.toString()}`).to.equal(200)
      return body
    },
  }
}
