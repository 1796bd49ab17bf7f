// Responses that are too large to be cached are streamed.
import { expect } from 'chai'
import type { Ask } from '../harness/ask.ts'
import { run } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { endOf, executingPids, openResponse, shopsFolder, SMALL_FLOOD } from './gateways.ts'

describe('a response that is too large to be cached', () => {
  const world = shopsGateway(
    { SQL_DIR: shopsFolder(SMALL_FLOOD) },
    { limits: { maxCachedBytes: 1_048_576, stallTimeoutMs: 1000 } },
  )
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

  it('resets the connection of the client if the connection of its execution is terminated', async () => {
    const response = await openResponse(world.gateway, '/reports/flood')
    response.pause()
    const [pid] = await executingPids(world.shops)
    await run(world.shops.replicaUrl, `select pg_terminate_backend(${pid})`)
    expect(await endOf(response)).to.equal('reset')
    expect((await ask('/reports/receipts')).status).to.equal(200)
  })

  it('disconnects a client that reads nothing, and releases its database connection', async () => {
    const from = world.gateway.observations.length
    const response = await openResponse(world.gateway, '/reports/flood')
    response.pause()
    await until(() =>
      world.gateway.observations.slice(from).some(({ kind }) => kind === 'execution'),
    )
    expect(await endOf(response)).to.equal('reset')
  })
})
