/** Bodies of all our reports, for a demo organization that has rows in each. */
import { expect } from 'chai'
import { after, before } from 'mocha'
import { demoGateway } from '../harness/demo-gateway.ts'
import type { TestGateway } from '../harness/in-process-gateway.ts'

/** Call it in a `describe`. */
export function productBodies() {
  let gateway: TestGateway | undefined
  before(async () => {
    gateway = await demoGateway()
  })
  after(() => gateway?.stop())

  return {
    /** @param path such as `operations.csv?from=2026-01-01` */
    fetchBody: async (path: string): Promise<Buffer> => {
      const url = `${gateway!.url}/api/public/v1/reports/${path}`
      const response = await fetch(url, { headers: { 'X-Api-Key': 'sk_demo_business' } })
      const body = Buffer.from(await response.arrayBuffer())
      expect(response.status, response.ok ? path : `${path}: ${body.toString()}`).to.equal(200)
      return body
    },
  }
}
