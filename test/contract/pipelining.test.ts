import { expect } from 'chai'
import { peakMemoryBytes } from '../harness/process-figures.ts'
import { ready, startProcess } from '../harness/process.ts'
import { openConnection, type RawConnection } from '../harness/raw-socket.ts'
import { sharedShops, shopsEnvironment, type Shops } from '../harness/shops.ts'

const CONNECTIONS = 300
const REQUESTS = 100
const REQUEST_BYTES = 8 * 1024
/** All requests would use 234 MiB, without Node's overhead. */
const MAX_GROWTH_MIB = 128

const KEY = 'X-Api-Key: key of shop 1\r\n'

describe('pipelined requests of many connections', function () {
  this.timeout(120_000)
  let shops: Shops
  before(async () => (shops = await sharedShops()))

  for (const [name, first, headers] of [
    ['without a key', '/ping', ''],
    ['after slow requests', '/reports/sleeps_long', KEY],
  ] as const) {
    it(`use limited memory, ${name}`, async () => {
      const gateway = startProcess('serve', {
        ...shopsEnvironment(shops),
        MAX_REQUESTS_PER_ORGANIZATION: '2000',
      })
      const connections: RawConnection[] = []
      try {
        const { url, opsUrl } = await ready(gateway)
        const before = peakMemoryBytes(gateway.child.pid!)
        const texts = [first, ...Array.from({ length: REQUESTS - 1 }, () => '/ping')].map(path => {
          const text = `GET /api/public/v1${path} HTTP/1.1\r\nHost: x\r\n${headers}X: `
          return `${text}${'x'.repeat(REQUEST_BYTES - text.length - 4)}\r\n\r\n`
        })
        for (let n = 0; n < CONNECTIONS; n += 1) connections.push(await openConnection(url))
        for (const connection of connections) connection.send(texts.join(''))
        await Promise.all(connections.map(({ closed }) => closed))
        const growth = (peakMemoryBytes(gateway.child.pid!) - before) / 2 ** 20
        expect(growth).to.be.lessThan(MAX_GROWTH_MIB)
        const ping = await fetch(`${url}/api/public/v1/ping`, {
          headers: { 'X-Api-Key': 'key of shop 1' },
        })
        expect(ping.status).to.equal(200)
        expect((await fetch(`${opsUrl}/livez`)).status).to.equal(200)
      } finally {
        for (const connection of connections) connection.destroy()
        gateway.child.kill('SIGKILL')
        await gateway.exit
      }
    })
  }
})
