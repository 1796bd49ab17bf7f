import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import type { Ask } from '../support/ask.ts'
import { startGateway } from '../support/gateway.ts'
import { run, shopsEnvironment } from '../support/shops.ts'
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
    const end = await endOf(response)
    expect(end).to.equal('reset')
    expect((await ask('/reports/receipts')).status).to.equal(200)
  })

  it('cuts off a client that reads nothing, and frees its connection', async () => {
    const response = await open('/reports/flood')
    response.pause()
    const from = world.gateway.observations.length
    await until(() => world.gateway.observations.slice(from).some(({ kind }) => kind === 'run'))
    const end = await endOf(response)
    expect(end).to.equal('reset')
  })

  function open(path: string, gateway = world.gateway): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { 'X-Api-Key': 'key of shop 1' }
      get(`${gateway.url}/api/public/v1${path}`, { headers, agent: false }, resolve).on(
        'error',
        reject,
      )
    })
  }

  it('holds no connection for readers that stand still, and all of it comes when they read on', async () => {
    const two = { CACHE_MAX_ENTRY_BYTES: '1MiB', REPORT_POOL_SIZE: '2' }
    const gateway = await startGateway({ ...shopsEnvironment(world.shops), ...two })
    const runs = () =>
      gateway.observations.filter(fact => fact.kind === 'run' && fact.definition === 'flood')
    const spooled = async () =>
      /^svodka_spool_bytes (.*)/m.exec(await (await fetch(`${gateway.opsUrl}/metrics`)).text())?.[1]
    try {
      await gateway.ready()
      const readers = await Promise.all(
        [1, 2].map(day => open(`/reports/flood?to=2026-12-0${day}`, gateway)),
      )
      for (const reader of readers) reader.pause()
      const ended = await until(() => runs().length === 2 && runs())
      expect(ended.map(run => 'outcome' in run && run.outcome)).to.deep.equal(['ok', 'ok'])
      expect(Number(await spooled())).to.be.greaterThan(10_000_000)
      const other = asker(gateway.url, 'key of shop 1')
      expect((await other('/reports/receipts')).status).to.equal(200)
      for (const reader of readers) {
        const { rows } = (await json(reader)) as { rows: unknown[] }
        expect(rows).to.have.length(500_000)
      }
      await until(async () => (await spooled()) === '0')
    } finally {
      await gateway.stop()
    }
  })

  for (const SPOOL_MAX_BYTES of ['2MiB', '64KiB']) {
    it(`frees the connection, resets the answer and says why where its reader is too far behind for ${SPOOL_MAX_BYTES}`, async () => {
      const little = { CACHE_MAX_ENTRY_BYTES: '1MiB', SPOOL_MAX_BYTES }
      const gateway = await startGateway({ ...shopsEnvironment(world.shops), ...little })
      try {
        await gateway.ready()
        const response = await open('/reports/flood', gateway)
        response.pause()
        const run = await until(() => gateway.observations.find(({ kind }) => kind === 'run'))
        expect(run).to.include({ kind: 'run', outcome: 'spool_full' })
        expect(await endOf(response)).to.equal('reset')
      } finally {
        await gateway.stop()
      }
    })
  }
})

function endOf(response: IncomingMessage): Promise<string> {
  return new Promise(resolve => {
    response.on('error', () => resolve('reset')).on('end', () => resolve('end'))
    response.resume()
  })
}
