// What is too large to cache is stored in a file for a reader that is slow.
import { readdirSync, rmdirSync } from 'node:fs'
import { json } from 'node:stream/consumers'
import { expect } from 'chai'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import {
  endOf,
  gatewaysOfTests,
  openResponse,
  shopsFolder,
  SMALL_FLOOD,
  spooledBytes,
} from './gateways.ts'

const SETTINGS = { SQL_DIR: shopsFolder(SMALL_FLOOD), CACHE_MAX_ENTRY_BYTES: '1MiB' }

describe('a response that its reader does not take', function () {
  this.timeout(60_000)
  const start = gatewaysOfTests()

  /** @param environment besides a folder of its own for files */
  async function startWithFolder(environment: NodeJS.ProcessEnv) {
    const { TMPDIR } = process.env
    const folder = temporaryFolder()
    process.env['TMPDIR'] = folder
    const started = await start({ ...SETTINGS, ...environment }).finally(() => {
      if (TMPDIR === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = TMPDIR
    })
    return { ...started, folder }
  }

  it('holds no connection for readers that stand still, and all of it comes when they read on', async () => {
    const { gateway, ask, folder } = await startWithFolder({ REPORT_POOL_SIZE: '2' })
    const runs = () =>
      gateway.observations.filter(fact => fact.kind === 'run' && fact.definition === 'flood')
    const readers = await Promise.all(
      [1, 2].map(day => openResponse(gateway, `/reports/flood?to=2026-12-0${day}`)),
    )
    for (const reader of readers) reader.pause()
    const ended = await until(() => runs().length === 2 && runs())
    expect(ended.map(run => 'outcome' in run && run.outcome)).to.deep.equal(['ok', 'ok'])
    expect(await spooledBytes(gateway)).to.be.greaterThan(10_000_000)
    expect(readdirSync(folder), 'files have no names').to.deep.equal([])
    expect((await ask('/reports/receipts')).status).to.equal(200)
    for (const reader of readers) {
      const { rows } = (await json(reader)) as { rows: unknown[] }
      expect(rows).to.have.length(150_000)
    }
    await until(async () => (await spooledBytes(gateway)) === 0)
  })

  it('frees the connection, is reset and says why where too much is stored', async () => {
    const gateways = await Promise.all(
      ['2MiB', '64KiB'].map(SPOOL_MAX_BYTES => start({ ...SETTINGS, SPOOL_MAX_BYTES })),
    )
    await Promise.all(
      gateways.map(async ({ gateway }) => {
        const response = await openResponse(gateway, '/reports/flood')
        response.pause()
        const run = await until(() => gateway.observations.find(({ kind }) => kind === 'run'))
        expect(run).to.include({ kind: 'run', outcome: 'spool_full' })
        expect(await endOf(response)).to.equal('reset')
      }),
    )
  })

  it('is reset where no file can be made, which is no fault of the replica', async () => {
    const { gateway, ask, folder } = await startWithFolder({})
    rmdirSync(folder)
    const response = await openResponse(gateway, '/reports/flood')
    response.pause()
    const request = await until(() => gateway.observations.find(({ kind }) => kind === 'request'))
    expect(request).to.include({ status: 200, aborted: true })
    expect('cause' in request && String(request.cause)).to.match(/ENOENT/)
    expect(await endOf(response)).to.equal('reset')
    expect(gateway.observations.map(({ kind }) => kind)).to.not.include('circuit')
    expect((await ask('/reports/receipts')).status).to.equal(200)
  })
})
