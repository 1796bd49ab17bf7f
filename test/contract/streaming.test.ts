// Responses that are too large to be cached are streamed.
import { expect } from 'chai'
import type { Ask } from '../harness/ask.ts'
import { until } from '../harness/until.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { executingPids } from './gateways.ts'

describe('a response that is too large to be cached', () => {
  const world = shopsGateway({}, { limits: { maxCachedBytes: 1_048_576 } })
  const ask: Ask = (path, options) => world.ask(path, options)

  it('is streamed to each of several clients, without ETag and Content-Length', async () => {
    for (const { status, headers, json } of await Promise.all(
      [1, 2].map(() => ask('/reports/register')),
    )) {
      expect(status).to.equal(200)
      expect(headers.get('ETag')).to.equal(null)
      expect(headers.get('Content-Length')).to.equal(null)
      expect(headers.get('Cache-Status')).to.equal('svodka; fwd=miss')
      expect(json.rows).to.have.length(100_000)
      const last = { name: '100000', value: 100_000, text: 'ш'.repeat(30) }
      expect(json.rows.at(-1)).to.deep.equal(last)
      expect(json.totals).to.deep.equal({ name: 'Итого', value: 5_000_050_000, text: null })
      expect(json.summary).to.match(/100.000 строк/)
    }
  })

  it('responds to HEAD with the same headers, and ends its execution', async () => {
    const { status, headers, text } = await ask('/reports/register', { method: 'HEAD' })
    expect([status, headers.get('ETag'), text]).to.deep.equal([200, null, ''])
    await until(async () => (await executingPids(world.shops)).length === 0)
  })
})
