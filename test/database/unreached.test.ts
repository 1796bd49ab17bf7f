import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { classify } from '../../src/serve/database/classify-error.ts'
import { until } from '../harness/until.ts'
import { errorOf, serversOfTests } from './execute.ts'

const openSockets = (): number =>
  process.getActiveResourcesInfo().filter(name => name === 'TCPSocketWrap').length

describe('a replica to which no connection can be made', () => {
  const serverAt = serversOfTests()

  for (const [title, packets, search] of [
    ['because it says nothing', [], ''],
    ['because TLS breaks off', ['S'], '?sslmode=no-verify'],
    ['because it does not know TLS', ['E'], '?sslmode=no-verify'],
    ['because it does not know TLS, and says more', ['E', 'more'], '?sslmode=no-verify'],
    [
      'because it asks for a proof that pg does not know',
      [Buffer.from('520000000d0000000a464f4f0000', 'hex')],
      '',
    ],
    ['because it says what pg does not know', [Buffer.from('520000000800000063', 'hex')], ''],
  ] as const) {
    it(`is unavailable, with fallback to another, and its socket closes, ${title}`, async () => {
      async function answer(socket: Socket): Promise<void> {
        for (const packet of packets) {
          socket.write(packet)
          await sleep(20)
        }
        socket.end()
      }
      const server = createServer({ allowHalfOpen: true }, socket => {
        socket.on('error', () => {})
        socket.once(packets.length > 0 ? 'data' : 'end', () => void answer(socket)).resume()
      })
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      const before = openSockets()
      const { port } = server.address() as AddressInfo
      const url = `postgres://reports:secret@127.0.0.1:${port}/product${search}`
      const replica = serverAt(url, { connectTimeoutMs: 200 })
      const { problem, remedy } = classify(await errorOf(replica, 'select 1'))
      await new Promise(resolve => server.close(resolve))
      await until(() => openSockets() === before)
      expect(replica.sessions.use()).to.include({ inUse: 0, waiting: 0 })
      expect([problem.code, remedy]).to.deep.equal(['replica_unavailable', 'transport'])
    })
  }
})
