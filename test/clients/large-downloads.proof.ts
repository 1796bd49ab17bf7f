// 300 MB of one execution, downloaded by curl in two parts, and read in parts over Range.
import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect } from 'chai'
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { shopsFolder } from '../contract/gateways.ts'
import { fixtures } from '../harness/fixtures.ts'
import { startProxy } from '../harness/proxy.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { KEY, needs, reportsUrl, run } from './clients.ts'

/** As the report `wide` has. */
const ROWS = 750_000
const WHOLE = 'from=2026-01-01&to=2026-12-31'

describe('a report of 300 MB', function () {
  this.timeout(180_000)
  const SQL_DIR = shopsFolder(fixtures('reports/sales/wide'))
  const world = shopsGateway({ SQL_DIR, SPOOL_MAX_BYTES: '2GiB' })
  const urlOf = (path: string): string => `${reportsUrl(world.gateway.url)}/${path}`
  const executionCount = (): number =>
    world.gateway.observations.filter(({ kind }) => kind === 'execution').length

  it('is continued by curl -C - and If-Match after its connection was reset, with the same bytes', async function () {
    const curl = await needs(this, 'curl', ['curl'], ['--version'])
    const folder = temporaryFolder()
    const get = (url: string, ...options: string[]) =>
      run(curl, ['--silent', '--header', `X-Api-Key: ${KEY}`, ...options, url], folder)
    const url = urlOf(`wide.csv?${WHOLE}`)
    const before = executionCount()
    expect((await get(url, '--output', 'whole')).exitCode).to.equal(0)
    const proxy = await startProxy(world.gateway.url)
    proxy.hurt({ resetAfterBytes: 200_000_000 }, 'toClient')
    const cut = url.replace(new URL(url).host, `127.0.0.1:${proxy.port}`)
    expect((await get(cut, '--output', 'parts')).exitCode).to.be.oneOf([18, 56])
    await proxy.cut()
    const first = statSync(join(folder, 'parts')).size
    expect(first).to.be.within(100_000_000, 200_000_000)
    const asCurl = { 'X-Api-Key': KEY, 'Accept-Encoding': 'identity' }
    const { headers } = await fetch(url, { method: 'HEAD', headers: asCurl })
    const condition = `If-Match: ${headers.get('ETag')}`
    const write = [
      '-C',
      '-',
      '--header',
      condition,
      '--output',
      'parts',
      '--write-out',
      '%{http_code}',
    ]
    const { exitCode, stdout } = await get(url, ...write)
    expect([exitCode, stdout.toString()]).to.deep.equal([0, '206'])
    const { size } = statSync(join(folder, 'whole'))
    expect(size).to.be.greaterThan(295_000_000)
    expect(await hashOf(join(folder, 'parts'))).to.equal(await hashOf(join(folder, 'whole')))
    expect(executionCount() - before).to.equal(1)
  })

  it('is read in parts over Range, from Parquet', async () => {
    const requestInit = { headers: { 'X-Api-Key': KEY } }
    const file = await asyncBufferFromUrl({ url: urlOf(`wide.parquet?${WHOLE}`), requestInit })
    const executions = executionCount()
    expect(file.byteLength).to.be.greaterThan(100_000_000)
    const metadata = await parquetMetadataAsync(file)
    expect(metadata.num_rows).to.equal(BigInt(ROWS))
    const compressors = { GZIP: (bytes: Uint8Array) => gunzipSync(bytes) }
    const rowsOf = { rowStart: ROWS - 3, rowEnd: ROWS, columns: ['units'] }
    const part = { file, metadata, compressors, ...rowsOf }
    const rows = await parquetReadObjects(part)
    expect(rows.map(({ units }) => Number(units))).to.deep.equal([ROWS - 2, ROWS - 1, ROWS])
    expect(executionCount()).to.equal(executions)
  })

  it('is read by DuckDB over Range', async function () {
    const connection = await (await DuckDBInstance.create()).connect()
    try {
      await connection.run('install httpfs')
    } catch (error) {
      skip(this, `DuckDB's extension httpfs cannot be installed: ${String(error).slice(0, 100)}`)
    }
    await connection.run('load httpfs')
    await connection.run(
      `create secret svodka (type http, extra_http_headers map {'X-Api-Key': '${KEY}'})`,
    )
    const url = urlOf(`wide.parquet?${WHOLE}`)
    const sql = `select count(*)::varchar, sum(units)::varchar from read_parquet('${url}')`
    const rows = (await connection.runAndReadAll(sql)).getRowsJson()
    expect(rows).to.deep.equal([[String(ROWS), String((ROWS * (ROWS + 1)) / 2)]])
    connection.closeSync()
  })
})

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
