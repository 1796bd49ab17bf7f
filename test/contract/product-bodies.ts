/** Bodies of all our reports, for demo organizations that have rows in each. */
import { expect } from 'chai'
import { gatewayOfBlock } from '../harness/shops-gateway.ts'

/** Call it in a `describe`. */
export function productBodies() {
  const world = gatewayOfBlock({}, { database: 'demo' })

  return {
    /** @param path such as `operations.csv?preset=excel` @param query such as `from=2026-01-01` */
    fetchBody: async (path: string, query: string, key = 'sk_demo_business'): Promise<Buffer> => {
      const url = `${world.gateway.url}/api/public/v1/reports/${path}${path.includes('?') ? '&' : '?'}${query}`
      const response = await fetch(url, { headers: { 'X-Api-Key': key } })
      const body = Buffer.from(await response.arrayBuffer())
      expect(response.status, response.ok ? url : `${url}: ${body.toString()}`).to.equal(200)
      return body
    },
  }
}
