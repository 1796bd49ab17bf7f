// config/README.md, "Memory": a gateway with many connections, a filled cache, executions and slow clients at the same
// time takes no more than the formula says.
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { asker } from '../harness/ask.ts'
import { scrape, sumOf } from '../harness/exposition.ts'
import { readDocument, rowsOf } from '../harness/document.ts'
import { memoryBytes, peakMemoryBytes } from '../harness/process-figures.ts'
import { startGateway } from '../harness/gateway.ts'
import { openConnection, type RawConnection } from '../harness/raw-socket.ts'
import { SHOPS_SQL_DIR } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

const MEBIBYTE = 2 ** 20
const CACHE_BYTES = 64 * MEBIBYTE
const CONNECTION_COUNT = 500
const POOL_SIZE = 4
const KEY = 'key of shop 1'
const PING = `GET /api/public/v1/ping HTTP/1.1\r\nHost: svodka\r\nX-Api-Key: ${KEY}\r\n\r\n`

/** MiB of each row of the table in README's section; of the cache, the factor of its bytes. */
function constants(): Readonly<Record<string, number>> {
  const rows = rowsOf(readDocument('config/README.md').section('Memory'))
  return Object.fromEntries(
    rows.map(([part = '', amount = '']) => [part, Number.parseFloat(amount)]),
  )
}

describe('the memory of a gateway', function () {
  this.timeout(120_000)

  it('is at most what the formula says', async () => {
    const folder = temporaryFolder()
    cpSync(SHOPS_SQL_DIR, folder, { recursive: true })
    cpSync('test/clients/reports', `${folder}/reports`, { recursive: true })
    const settings = {
      NODE_ENV: 'production',
      SQL_DIR: folder,
      CACHE_MAX_BYTES: String(CACHE_BYTES),
      REPORT_POOL_SIZE: String(POOL_SIZE),
    }
    const gateway = await startGateway(settings, { as: 'process' })
    const connections: RawConnection[] = []
    const readers: IncomingMessage[] = []
    try {
      const { url, opsUrl, pid } = gateway
      const ask = asker(url, KEY)
      const gauge = async (name: string): Promise<number> => sumOf(await scrape(opsUrl), name)
      const figures: Record<string, number> = { idle: memoryBytes(pid) }

      for (let at = 0; at < CONNECTION_COUNT; at++) {
        const connection = await openConnection(url)
        connections.push(connection)
        expect(await connection.ask(PING)).to.match(/^HTTP\/1.1 200 /)
      }
      figures['connected'] = memoryBytes(pid)

      // A body has 7 MiB, and an organization a quarter of the cache.
      const months = ['01', '02', '03']
      for (const month of months)
        for (const shop of [1, 2, 3]) {
          const path = `/reports/noise?from=2025-${month}-01&to=2025-${month}-28`
          expect((await ask(path, { key: `key of shop ${shop}` })).status).to.equal(200)
        }
      figures['counted'] = await gauge('svodka_cache_bytes')
      await sleep(1000)
      figures['cached'] = memoryBytes(pid)

      // Slow clients of responses that are too large to cache, again and again.
      for (let round = 0; round < 2; round++) {
        const responses = Array.from({ length: POOL_SIZE }, async (_, at) => {
          const path = `/api/public/v1/reports/flood?from=2024-01-01&to=2024-01-${10 + at + round}`
          const request = get(url + path, { agent: false, headers: { 'X-Api-Key': KEY } })
          const [response] = (await once(request, 'response')) as [IncomingMessage]
          expect(response.statusCode).to.equal(200)
          response.on('error', () => {})
          readers.push(response)
          await once(response, 'readable')
        })
        await Promise.all(responses)
        await sleep(500)
        for (const reader of readers.splice(0)) reader.destroy()
      }
      figures['peak'] = peakMemoryBytes(pid)
      figures['spooled'] = await gauge('svodka_spool_bytes')

      const part = constants()
      const predicted =
        part['process']! +
        part['connection']! * CONNECTION_COUNT +
        part['cache']! * (figures['counted'] / MEBIBYTE) +
        part['execution']! * POOL_SIZE
      expect(figures['counted']).to.be.above(CACHE_BYTES / 4)
      expect(figures['peak'] / MEBIBYTE, JSON.stringify(figures)).to.be.below(predicted)
    } finally {
      for (const reader of readers) reader.destroy()
      for (const connection of connections) connection.destroy()
      await gateway.stop()
    }
  })
})
