import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { createConnection } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createWriteHead, headLines } from '../../src/http/write-head.ts'

const NOW = Date.parse('2026-11-21T09:00:00.500Z')
const BODY = Buffer.from('тело\n'.repeat(1000))

describe('createWriteHead', () => {
  let server: Server
  let written = 0
  before(async () => {
    const writeHead = createWriteHead()
    server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
      const status = request.url === '/304' ? 304 : 200
      const list = ['X-Request-Id', 'a', 'ETag', '"é"', 'Vary', 'Accept, Accept-Encoding']
      if (status === 200) list.push('Content-Length', String(BODY.length))
      if (request.headers['x-way'] === 'node') response.writeHead(status, list)
      else writeHead(response, status, headLines(list.slice(0, -2)), list.slice(-2), NOW)
      if (response.statusCode === status) written += 1
      response.end(status === 304 || request.method === 'HEAD' ? undefined : BODY)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => server.close())

  /** All bytes that come until the connection ends, but for the date. */
  async function raw(lines: readonly string[]): Promise<string> {
    const socket = createConnection((server.address() as AddressInfo).port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', chunk => chunks.push(chunk))
    socket.end(lines.map(line => `${line}\r\n`).join(''))
    await once(socket, 'close')
    return Buffer.concat(chunks)
      .toString('latin1')
      .replace(/Date: [^\r]+/, 'Date: now')
  }

  it('sends what Node would send, byte for byte', async () => {
    const requests = [
      ['GET / HTTP/1.1', 'Host: h'],
      ['HEAD / HTTP/1.1', 'Host: h'],
      ['GET /304 HTTP/1.1', 'Host: h'],
      ['GET / HTTP/1.1', 'Host: h', 'Connection: close'],
      ['GET / HTTP/1.0'],
      ['GET / HTTP/1.0', 'Connection: keep-alive'],
    ]
    for (const request of requests) {
      const ours = await raw([...request, ''])
      expect(ours, request.join()).to.equal(await raw([...request, 'X-Way: node', '']))
      expect(ours, request.join()).to.match(/^HTTP\/1\.1 (200|304) /)
    }
    expect(written).to.equal(2 * requests.length)
  })

  it('answers several requests on one connection', async () => {
    const request = ['GET / HTTP/1.1', 'Host: h', '']
    const answers = await raw([...request, ...request, ...request])
    expect(answers.split('HTTP/1.1 200 OK')).to.have.length(4)
    expect(answers.length).to.be.greaterThan(3 * BODY.length)
  })

  it('has the date of the clock that is handed in', async () => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    expect(response.headers.get('Date')).to.equal('Sat, 21 Nov 2026 09:00:00 GMT')
    await response.arrayBuffer()
  })
})
