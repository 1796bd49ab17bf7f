// An execution that fails after its first bytes breaks the response in each format; before that, it is a problem.
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { Coding } from '../../src/serve/report/gzip.ts'
import type { Answer } from '../harness/ask.ts'
import { run } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import {
  executingPids,
  folderWithHeldReport,
  holdReports,
  inFlight,
  requestOf,
  KEY,
  spooledBytes,
  untilExecuting,
} from './gateways.ts'
import { registerOf } from './register.ts'

/** The second last row waits, so that the last row follows the first bytes. */
const reportOf = (rows: number, lastAmount: string): string =>
  registerOf(rows, {
    units: `case n when ${rows} - 1 then hold(:organization_id) else n end`,
    amount: `case n when ${rows} then ${lastAmount} else n end`,
  })

const ROWS = 5000
/** More than one row group of Parquet, since its first bytes are a complete group. */
const PARQUET_ROWS = 80_000

const TEXT_FORMATS = ['json', 'ndjson', 'ndjson?end=true&', 'csv', 'csv?preset=excel&']
const FORMATS = [...TEXT_FORMATS, 'xlsx', 'parquet']
const REPRESENTATIONS: ReadonlyArray<readonly [format: string, coding: Coding]> = [
  ...FORMATS.map(format => [format, 'identity'] as const),
  ...TEXT_FORMATS.map(format => [format, 'gzip'] as const),
]

describe('an execution that fails', function () {
  this.timeout(60_000)
  const SQL_DIR = folderWithHeldReport({
    'reports/sales/lost.sql': reportOf(ROWS, 'n'),
    'reports/sales/lost_parquet.sql': reportOf(PARQUET_ROWS, 'n'),
    'reports/sales/wrong.sql': reportOf(ROWS, '0.5'),
    'reports/sales/wrong_parquet.sql': reportOf(PARQUET_ROWS, '0.5'),
  })
  const world = shopsGateway({ SQL_DIR }, { limits: { maxCachedBytes: 65_536 } })

  /** Terminates all backends that execute reports. */
  async function terminate(): Promise<void> {
    for (const pid of await executingPids(world.shops)) {
      await run(world.shops.replicaUrl, `select pg_terminate_backend(${pid})`)
    }
  }

  for (const [at, [format, coding]] of REPRESENTATIONS.entries()) {
    const name = `${format.replaceAll(/[?&]/g, ' ').trim()} in ${coding}`
    for (const [report, title] of [
      ['lost', 'whose backend is terminated'],
      ['wrong', "with a value that is not of its column's type"],
    ] as const) {
      it(`${title} breaks the response: ${name}`, async () => {
        const release = await holdReports(world.shops)
        // why: a period of its own, since the negative cache remembers failures
        const code = format === 'parquet' ? `${report}_parquet` : report
        const path = `/reports/${code}.${format}${format.includes('?') ? '' : '?'}to=2027-03-${10 + at}`
        const response = await read(path, coding, async () => {
          await (report === 'lost' ? terminate() : release())
        })
        await release()
        expect(response.head).to.match(/^HTTP\/1\.1 200 /)
        if (coding !== 'identity') expect(response.head).to.include(`Content-Encoding: ${coding}`)
        expect(response.head).to.include('Transfer-Encoding: chunked')
        const { bytes, isTerminated } = dechunked(response.body)
        expect(bytes.length).to.be.greaterThan(0)
        expect(isTerminated, 'the last chunk is sent').to.equal(false)
        if (coding === 'gzip') expect(() => gunzipSync(bytes)).to.throw('unexpected end of file')
        await untilExecuting(world.shops, 0)
        await until(async () => (await inFlight(world.gateway)) === '0')
        await until(async () => (await spooledBytes(world.gateway)) === 0)
        expect((await world.ask('/reports/receipts')).status).to.equal(200)
      })
    }
  }

  for (const [at, format] of FORMATS.entries()) {
    const query = `${format}${format.includes('?') ? '' : '?'}to=2027-04-${10 + at}`

    it(`before its first byte is a problem: an invalid value in ${query}`, async () => {
      for (const report of ['fraction', 'division']) {
        const { status, json } = await world.ask(`/reports/${report}.${query}`)
        expect([status, json.code]).to.deep.equal([500, 'internal_error'])
      }
    })

    it(`before its first byte is a problem: a terminated backend in ${query}`, async () => {
      const release = await holdReports(world.shops)
      const responses: Answer[] = []
      void world.ask(`/reports/held.${query}`).then(response => responses.push(response))
      // why: the execution is retried on another connection
      const { status, json } = await until(async () => {
        await terminate()
        return responses[0]
      })
      await release()
      expect([status, json.code]).to.deep.equal([503, 'replica_unavailable'])
    })
  }

  /** Reads until the connection ends. @param onFirstBytes called with the first bytes of the body */
  function read(
    path: string,
    coding: Coding,
    onFirstBytes: () => Promise<void>,
  ): Promise<{ readonly head: string; readonly body: Buffer }> {
    const { port, hostname } = new URL(world.gateway.url)
    return new Promise((resolve, reject) => {
      let received: Buffer = Buffer.alloc(0)
      let bodyAt = 0
      const socket = connect(Number(port), hostname)
      socket
        .on('data', chunk => {
          received = Buffer.concat([received, chunk])
          if (bodyAt > 0) return
          const end = received.indexOf('\r\n\r\n')
          if (end < 0 || received.length === end + 4) return
          bodyAt = end + 4
          onFirstBytes().catch(reject)
        })
        .on('error', () => {})
        .on('close', () => {
          const head = received.toString('latin1', 0, bodyAt)
          resolve({ head, body: received.subarray(bodyAt) })
        })
      socket.write(requestOf(path, `${KEY}Accept-Encoding: ${coding}\r\n`))
    })
  }
})

/** @see https://www.rfc-editor.org/rfc/rfc9112#name-chunked-transfer-coding */
function dechunked(body: Buffer): { readonly bytes: Buffer; readonly isTerminated: boolean } {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const end = body.indexOf('\r\n', at)
    if (end < 0) break
    const size = Number.parseInt(body.toString('latin1', at, end), 16)
    if (size === 0) return { bytes: Buffer.concat(parts), isTerminated: true }
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return { bytes: Buffer.concat(parts), isTerminated: false }
}
