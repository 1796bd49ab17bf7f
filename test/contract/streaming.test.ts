// What is too large to cache is sent as it comes, and kept in a file for a reader that is slow.
import { readdirSync, rmdirSync } from 'node:fs'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { json } from 'node:stream/consumers'
import { expect } from 'chai'
import type { Ask } from '../support/ask.ts'
import type { TestGateway } from '../support/gateway.ts'
import { run } from '../support/shops.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { shopsGateway } from '../support/world.ts'
import {
  executingPids,
  gatewaysOfTests,
  PREFIX,
  shopsFolder,
  SMALL_FLOOD,
  spooledBytes,
} from './gateways.ts'

const SQL_DIR = shopsFolder(SMALL_FLOOD)
const LITTLE = { SQL_DIR, CACHE_MAX_ENTRY_BYTES: '1MiB' }

describe('a response too large to cache', () => {
  const world = shopsGateway({ ...LITTLE, STALL_TIMEOUT: '1s' })
  const start = gatewaysOfTests()
  const ask: Ask = (path, options) => world.ask(path, options)

  it('is streamed whole to each of several clients, without ETag and Content-Length', async () => {
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

  it('answers HEAD with the same headers, and ends its execution', async () => {
    const { status, headers, text } = await ask('/reports/register', { method: 'HEAD' })
    expect([status, headers.get('ETag'), text]).to.deep.equal([200, null, ''])
    await until(async () => (await executingPids(world.shops)).length === 0)
  })

  it('resets the connection when the connection of its execution is killed', async () => {
    const response = await open('/reports/flood', world.gateway)
    response.pause()
    const [pid] = await executingPids(world.shops)
    await run(world.shops.replicaUrl, `select pg_terminate_backend(${pid})`)
    expect(await endOf(response)).to.equal('reset')
    expect((await ask('/reports/receipts')).status).to.equal(200)
  })

  it('cuts off a client that reads nothing, and frees its connection', async () => {
    const from = world.gateway.observations.length
    const response = await open('/reports/flood', world.gateway)
    response.pause()
    await until(() => world.gateway.observations.slice(from).some(({ kind }) => kind === 'run'))
    expect(await endOf(response)).to.equal('reset')
  })

  it('holds no connection for readers that stand still, and all of it comes when they read on', async () => {
    const { gateway, ask: other } = await start({ ...LITTLE, REPORT_POOL_SIZE: '2' })
    const runs = () =>
      gateway.observations.filter(fact => fact.kind === 'run' && fact.definition === 'flood')
    const readers = await Promise.all(
      [1, 2].map(day => open(`/reports/flood?to=2026-12-0${day}`, gateway)),
    )
    for (const reader of readers) reader.pause()
    const ended = await until(() => runs().length === 2 && runs())
    expect(ended.map(run => 'outcome' in run && run.outcome)).to.deep.equal(['ok', 'ok'])
    expect(await spooledBytes(gateway)).to.be.greaterThan(10_000_000)
    const files = readdirSync(tmpdir()).filter(name => /^svodka-[0-9a-f]{8}-/.test(name))
    expect(files, 'files have no names').to.deep.equal([])
    expect((await other('/reports/receipts')).status).to.equal(200)
    for (const reader of readers) {
      const { rows } = (await json(reader)) as { rows: unknown[] }
      expect(rows).to.have.length(150_000)
    }
    await until(async () => (await spooledBytes(gateway)) === 0)
  })

  for (const SPOOL_MAX_BYTES of ['2MiB', '64KiB']) {
    it(`frees the connection, resets the response and says why where its reader is too far behind for ${SPOOL_MAX_BYTES}`, async () => {
      const { gateway } = await start({ ...LITTLE, SPOOL_MAX_BYTES })
      const response = await open('/reports/flood', gateway)
      response.pause()
      const run = await until(() => gateway.observations.find(({ kind }) => kind === 'run'))
      expect(run).to.include({ kind: 'run', outcome: 'spool_full' })
      expect(await endOf(response)).to.equal('reset')
    })
  }
})

describe('a response too large to cache where no file can be made', () => {
  const start = gatewaysOfTests()

  it('is reset for a slow reader by a defect, and is no fault of the replica', async () => {
    const { TMPDIR } = process.env
    const folder = temporaryFolder()
    process.env['TMPDIR'] = folder
    const { gateway, ask } = await start(LITTLE).finally(() => {
      if (TMPDIR === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = TMPDIR
    })
    rmdirSync(folder)
    const response = await open('/reports/flood', gateway)
    response.pause()
    const request = await until(() => gateway.observations.find(({ kind }) => kind === 'request'))
    expect(request).to.include({ status: 200, aborted: true })
    expect('cause' in request && String(request.cause)).to.match(/ENOENT/)
    expect(await endOf(response)).to.equal('reset')
    expect(gateway.observations.map(({ kind }) => kind)).to.not.include('circuit')
    expect((await ask('/reports/receipts')).status).to.equal(200)
  })
})

function endOf(response: IncomingMessage): Promise<string> {
  return new Promise(resolve => {
    response.on('error', () => resolve('reset')).on('end', () => resolve('end'))
    response.resume()
  })
}

function open(path: string, { url }: TestGateway): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Api-Key': 'key of shop 1' }
    get(`${url}${PREFIX}${path}`, { headers, agent: false }, resolve).on('error', reject)
  })
}
