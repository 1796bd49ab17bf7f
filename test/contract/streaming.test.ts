import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import type { Ask } from '../support/ask.ts'
import { run } from '../support/shops.ts'
import { until } from '../support/until.ts'
import { shopsGateway } from '../support/world.ts'

describe('an answer too large to keep', () => {
  const world = shopsGateway({ CACHE_MAX_ENTRY_BYTES: '1MiB', STALL_TIMEOUT: '1s' })
  const ask: Ask = (path, options) => world.ask(path, options)

  it('is streamed whole, without ETag and Content-Length, and is not kept', async () => {
    for (const _ of [1, 2]) {
      const { status, headers, json } = await ask('/reports/register')
      expect(status).to.equal(200)
      expect(headers.get('ETag')).to.equal(null)
      expect(headers.get('Content-Length')).to.equal(null)
      expect(headers.get('Cache-Status')).to.equal('svodka; fwd=miss')
      expect(json.rows).to.have.length(100_000)
      expect(json.rows.at(-1)).to.deep.equal({
        name: '100000',
        value: 100_000,
        text: 'ш'.repeat(30),
      })
      expect(json.totals).to.deep.equal({ name: 'Итого', value: 5_000_050_000, text: null })
      expect(json.summary).to.match(/100.000 строк/)
    }
  })

  it('gives each of several clients all of it', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => ask('/reports/register')))
    expect(answers.map(({ json }) => json.rows.length)).to.deep.equal([100_000, 100_000, 100_000])
  })

  it('answers HEAD with the same headers and runs on for nobody', async () => {
    const { status, headers, text } = await ask('/reports/register', { method: 'HEAD' })
    expect(status).to.equal(200)
    expect(headers.get('ETag')).to.equal(null)
    expect(text).to.equal('')
  })

  it('resets the connection when the run breaks after the first byte', async () => {
    const response = await open('/reports/flood')
    response.pause()
    const terminated = await run(
      world.shops.replicaUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'svodka reports' and state = 'active' and datname = 'shops'`,
    )
    expect(terminated).to.have.length(1)
    const end = await new Promise<string>(resolve => {
      response.on('error', () => resolve('reset')).on('end', () => resolve('end'))
      response.resume()
    })
    expect(end).to.equal('reset')
    expect((await ask('/reports/receipts')).status).to.equal(200)
  })

  it('cuts off a client that reads nothing, and frees its connection', async () => {
    const response = await open('/reports/flood')
    response.pause()
    const from = world.gateway.observations.length
    await until(() => world.gateway.observations.slice(from).some(({ kind }) => kind === 'run'))
    const end = await new Promise<string>(resolve => {
      response.on('error', () => resolve('reset')).on('end', () => resolve('end'))
      response.resume()
    })
    expect(end).to.equal('reset')
  })

  function open(path: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { 'X-Api-Key': 'key of shop 1' }
      get(`${world.gateway.url}/api/public/v1${path}`, { headers, agent: false }, resolve).on(
        'error',
        reject,
      )
    })
  }
})
