// Responses that are too large to be cached are buffered in a spill file for slow clients.
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

const SQL_DIR = shopsFolder(SMALL_FLOOD)
const limits = { maxCachedBytes: 1_048_576 }

describe('a response that its client does not read', function () {
  this.timeout(60_000)
  const start = gatewaysOfTests()

  /** Starts a gateway with a separate folder for spill files. */
  async function startWithFolder(environment: NodeJS.ProcessEnv) {
    const { TMPDIR } = process.env
    const folder = temporaryFolder()
    process.env['TMPDIR'] = folder
    const started = await start({ SQL_DIR, ...environment }, { limits }).finally(() => {
      if (TMPDIR === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = TMPDIR
    })
    return { ...started, folder }
  }

  it('occupies no connection for paused clients, and is complete when they continue', async () => {
    const { gateway, ask, folder } = await startWithFolder({ REPORT_POOL_SIZE: '2' })
    const executions = () =>
      gateway.observations.filter(fact => fact.kind === 'execution' && fact.definition === 'flood')
    const readers = await Promise.all(
      [1, 2].map(day => openResponse(gateway, `/reports/flood?to=2026-12-0${day}`)),
    )
    for (const reader of readers) reader.pause()
    const executionFacts = await until(() => executions().length === 2 && executions())
    expect(
      executionFacts.map(execution => 'outcome' in execution && execution.outcome),
    ).to.deep.equal(['ok', 'ok'])
    expect(await spooledBytes(gateway)).to.be.greaterThan(10_000_000)
    expect(readdirSync(folder), 'files are unlinked').to.deep.equal([])
    expect((await ask('/reports/receipts')).status).to.equal(200)
    for (const reader of readers) {
      const { rows } = (await json(reader)) as { rows: unknown[] }
      expect(rows).to.have.length(150_000)
    }
    await until(async () => (await spooledBytes(gateway)) === 0)
  })

  it('releases the connection, and is reset with a reason if the spill files are full', async () => {
    const gateways = await Promise.all(
      ['2MiB', '64KiB'].map(SPOOL_MAX_BYTES => start({ SQL_DIR, SPOOL_MAX_BYTES }, { limits })),
    )
    await Promise.all(
      gateways.map(async ({ gateway }) => {
        const response = await openResponse(gateway, '/reports/flood')
        response.pause()
        const execution = await until(() =>
          gateway.observations.find(({ kind }) => kind === 'execution'),
        )
        expect(execution).to.include({ kind: 'execution', outcome: 'spool_full' })
        expect(await endOf(response)).to.equal('reset')
      }),
    )
  })

  it('is reset if no file can be created, which does not open the circuit of the replica', async () => {
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
