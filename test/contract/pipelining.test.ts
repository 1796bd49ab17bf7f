import { expect } from 'chai'
import { peakMemoryBytes } from '../harness/process-figures.ts'
import { openConnection, type RawConnection } from '../harness/raw-socket.ts'
import { processesOfTests } from '../harness/shops-gateway.ts'

const CONNECTIONS = 300
const REQUESTS = 100
const REQUEST_BYTES = 8 * 1024
/** All requests would use 234 MiB, without Node's overhead. */
const MAX_GROWTH_MIB = 128

const KEY = 'X-Api-Key: key of shop 1\r\n'

describe('pipelined requests of many connections', function () {
  this.timeout(120_000)
  const start = processesOfTests()

  for (const [name, first, headers] of [
    ['without a key', '/ping', ''],
    ['after slow requests', '/reports/sleeps_long', KEY],
  ] as const) {
    it(`use limited memory, ${name}`, async () => {
      const gateway = await start({ MAX_REQUESTS_PER_ORGANIZATION: '2000' })
      const connections: RawConnection[] = []
      try {
        const { url, opsUrl, pid } = gateway
        const before = peakMemoryBytes(pid)
        const texts = [first, ...Array.from({ length: REQUESTS - 1 }, () => '/ping')].map(path => {
          const text = `GET /api/public/v1${path} HTTP/1.1\r\nHost: x\r\n${headers}X: `
          return `${text}${'x'.repeat(REQUEST_BYTES - text.length - 4)}\r\n\r\n`
        })
        for (let n = 0; n < CONNECTIONS; n += 1) connections.push(await openConnection(url))
        for (const connection of connections) connection.send(texts.join(''))
        await Promise.all(connections.map(({ closed }) => closed))
        const growth = (peakMemoryBytes(pid) - before) / 2 ** 20
        expect(growth).to.be.lessThan(MAX_GROWTH_MIB)
        expect((await gateway.ask('/ping')).status).to.equal(200)
        expect((await fetch(`${opsUrl}/livez`)).status).to.equal(200)
      } finally {
        for (const connection of connections) connection.destroy()
      }
    })
  }
})
