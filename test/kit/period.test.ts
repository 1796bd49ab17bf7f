// Scripts that request a period: curl and DuckDB.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect } from 'chai'
import { needs } from '../clients/clients.ts'
import { exactJson, killAt, kits, PERIOD, reportsProblem, sorted, succeeds } from './kits.ts'
import type { Row } from './kits.ts'

const SHIM = fileURLToPath(new URL('duckdb-shim.js', import.meta.url))

describe("the kit's scripts for a period", () => {
  const all = kits()
  const inFolder = (name: string): string => join(all.folder, name)

  interface Script {
    readonly tool: 'curl' | 'duckdb'
    readonly file: string
    /** What a complete load makes. */
    readonly made: string
    readonly rows: () => Promise<Row[]>
  }

  function loadsPeriod({ tool, file, made, rows }: Script): void {
    const start = () =>
      all.run('sh', [
        file,
        'receipts',
        '2026-01-01',
        '2026-04-30',
        ...(tool === 'curl' ? ['ndjson'] : []),
      ])

    describe(`for ${tool}`, () => {
      before(async function () {
        await needs(this, 'curl', ['curl'], ['--version'])
        await all.write(tool, 'ledger', file)
      })

      it('makes nothing if it is killed, then all rows, and obeys Retry-After', async () => {
        await killAt(all, /^\/reports\/receipts\./, start)
        expect(existsSync(inFolder(made))).to.equal(false)
        all.front.refuse(/^\/reports\/receipts\./, 503)
        all.front.refuse(/^\/reports\/receipts\./, 429)
        all.front.waits.length = 0
        await succeeds(start())
        expect(all.front.waits.length).to.equal(2)
        for (const wait of all.front.waits) expect(wait).to.be.at.least(0.95)
        expect(sorted(await rows())).to.deep.equal(await all.rows('receipts'))
      })

      it('is for its report and period by default', async () => {
        all.front.requests.length = 0
        await succeeds(all.run('sh', [file]))
        expect(all.front.requests.length).to.equal(1)
        expect(all.front.requests[0]).to.match(new RegExp(`^/reports/ledger\\.\\w+\\?${PERIOD}`))
      })

      it('reports problems, and does not print the key', () => reportsProblem(all, 'sh', [file]))
    })
  }

  loadsPeriod({
    tool: 'curl',
    file: 'svodka.sh',
    made: 'receipts_2026-01-01_2026-04-30.ndjson',
    async rows() {
      const text = readFileSync(inFolder('receipts_2026-01-01_2026-04-30.ndjson'), 'utf8')
      return text.trimEnd().split('\n').map(exactJson)
    },
  })

  it('for curl has the comparison of the screen, and says which order and filter it leaves out', async function () {
    await needs(this, 'curl', ['curl'], ['--version'])
    const shown = { compare: 'year', sort: '-amount', find: 'чек', day: '2026-04-30' }
    const file = await all.write('curl', 'receipts', 'compared.sh', shown)
    await succeeds(all.run('sh', [file]))
    const { text } = await all.world.ask(`/reports/receipts.csv?${PERIOD}&compare=year`)
    const name = 'receipts_2026-01-01_2026-04-30_year.csv'
    expect(readFileSync(inFolder(name), 'utf8')).to.equal(text)
    expect(readFileSync(file, 'utf8'))
      .to.include('# на 2026-04-30; compare=year; без фильтра, который на экране: чек.')
      .and.include('а не экрана (там -amount)')
  })

  describe('in PATH, a duckdb', () => {
    const path = process.env['PATH']
    before(() => {
      // why: npm has DuckDB as a library only
      writeFileSync(inFolder('duckdb'), `#!/bin/sh\nexec '${process.execPath}' '${SHIM}' "$@"\n`)
      chmodSync(inFolder('duckdb'), 0o755)
      process.env['PATH'] = `${all.folder}:${path}`
    })
    after(() => void (process.env['PATH'] = path))

    loadsPeriod({
      tool: 'duckdb',
      file: 'svodka_duckdb.sh',
      made: 'svodka.duckdb',
      async rows() {
        const instance = await DuckDBInstance.create(inFolder('svodka.duckdb'))
        const connection = await instance.connect()
        const read = `select columns(*)::varchar from (select * replace (left(month::varchar, 7) as month, sold_at::timestamptz as sold_at) from receipts)`
        await connection.run("set timezone = 'UTC'")
        const rows = (await connection.runAndReadAll(read)).getRowObjectsJson()
        connection.closeSync()
        instance.closeSync()
        return rows as Row[]
      },
    })
  })
})
