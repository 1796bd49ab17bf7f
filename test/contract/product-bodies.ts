/** Bodies of all our reports, for demo organizations that have rows in each. */
import { expect } from 'chai'
import { gatewayOfBlock } from '../harness/shops-gateway.ts'

/** Call it in a `describe`. */
export function productBodies() {
  const world = gatewayOfBlock({}, { database: 'demo' })

  return {
    /** @param path such as `operations.csv?preset=excel` @param query such as `from=2026-01-01` */
    fetchBody: async (path: string, query: string, key = 'sk_demo_business'): Promise<Buffer> => {
      const asked = `/reports/${path}${path.includes('?') ? '&' : '?'}${query}`
      const { status, bytes, text } = await world.ask(asked, { key })
      expect(status, status === 200 ? asked : `${asked}: ${text}`).to.equal(200)
      return bytes
    },
  }
}
