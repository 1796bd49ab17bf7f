import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { expect } from 'chai'
import { openConnection, requestOf } from './raw-connection.ts'

const WHOLE = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3\r\n0\n0\r\n0\r\n\r\n'
const EMPTY = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
const BODILESS = 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n'

describe('a raw connection', () => {
  let server: Server

  /** Answers every request with `text`, a few bytes at a time. */
  async function serve(text: string, pieceLength: number): Promise<number> {
    server = createServer({ noDelay: true }, socket => {
      socket.on('error', () => {})
      socket.on('data', () => {
        let sent = 0
        const send = (): void => {
          if (sent >= text.length) return
          socket.write(text.slice(sent, (sent += pieceLength)))
          setImmediate(send)
        }
        send()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  afterEach(() => server.close())

  for (const [kind, text, status] of [
    ['with a length', WHOLE, 200],
    ['in chunks', CHUNKED, 200],
    ['of no chunk', EMPTY, 200],
    ['without a body', BODILESS, 304],
  ] as const) {
    it(`finds the end of an answer ${kind}, however it is cut`, async () => {
      for (const pieceLength of [1, 3, 7, text.length]) {
        const connection = await openConnection(await serve(text, pieceLength))
        for (let turn = 0; turn < 2; turn++) {
          const answer = await connection.ask(requestOf('/', 'key'))
          expect(answer).to.deep.equal({ status, byteCount: text.length })
        }
        connection.close()
        server.close()
      }
    })
  }

  it('fails where the connection ends before the answer', async () => {
    server = createServer(socket => socket.end(WHOLE.slice(0, -1)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const connection = await openConnection((server.address() as AddressInfo).port)
    const asked = connection.ask(requestOf('/', 'key'))
    const said = await asked.catch((error: Error) => error.message)
    expect(said).to.equal('the connection ended before the answer')
  })
})
