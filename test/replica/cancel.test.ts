// What a cancel request is on the wire, between a real server and a proxy that records what the client sends.
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { expect } from 'chai'
import type { Client } from 'pg'
import { requestCancel } from '../../src/replica/cancel.ts'
import { sharedCluster } from '../support/cluster.ts'
import { run as runSql } from '../support/shops.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { certificate, overTls, standbyWithTls } from '../support/tls.ts'
import { until } from '../support/until.ts'
import { connected } from './rows.ts'

const SLEEPING = 'select pg_sleep(20)'
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const CANCEL_REQUEST_CODE = Buffer.from([4, 210, 22, 46])

interface Recorder {
  readonly server: Server
  /** What came on each connection, in the order of the connections. */
  readonly sent: Buffer[]
  /** Whoever connects from now on is handed over. */
  divert(to: (socket: Socket) => void): void
  close(): void
}

function record(target: string): Recorder {
  const sent: Buffer[] = []
  const sockets: Socket[] = []
  let diverted: ((socket: Socket) => void) | undefined
  const server = createServer(client => {
    sockets.push(client.on('error', () => {}))
    if (diverted) return diverted(client)
    const { hostname, port } = new URL(target)
    const upstream = connect(Number(port), hostname)
    sockets.push(upstream.on('error', () => client.destroy()))
    const place = sent.push(Buffer.alloc(0)) - 1
    client.on('data', bytes => void (sent[place] = Buffer.concat([sent[place]!, bytes])))
    client.pipe(upstream).pipe(client)
  })
  return {
    server,
    sent,
    divert: to => void (diverted = to),
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

describe('a cancel request', function () {
  this.timeout(30_000)
  const folder = temporaryFolder()
  let recorder: Recorder | undefined
  let client: Client | undefined

  afterEach(async () => {
    recorder?.close()
    await client?.end().catch(() => undefined)
    recorder = client = undefined
  })

  /** By way of a proxy on a port of its own. */
  async function throughRecorder(target: string, query: string): Promise<Recorder> {
    const { server } = (recorder = record(target))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const url = Object.assign(new URL(target), { hostname: 'localhost', port: String(port) }).href
    client = await connected(url + query, 'tap')
    return recorder
  }

  async function asleep(admin: string): Promise<{ readonly ended: Promise<unknown> }> {
    const ended = client!.query(SLEEPING).catch((error: unknown) => error)
    const { processID } = client as unknown as { processID: number }
    const active = `select from pg_stat_activity where pid = ${processID} and state = 'active'`
    await until(async () => (await runSql(admin, active)).length === 1)
    return { ended }
  }

  function keyOf(): Buffer {
    const { secretKey } = client as unknown as { secretKey: number }
    const key = Buffer.alloc(4)
    key.writeInt32BE(secretKey)
    return key
  }

  describe('to a server that takes connections over TLS only', () => {
    const standby = standbyWithTls({ only: true })

    it('goes over TLS, and nothing of it in clear text', async () => {
      const { replicaUrl } = standby.cluster
      const clear: unknown = await connected(replicaUrl, 'tap').catch((error: unknown) => error)
      expect(clear).to.include({ code: '28000' })
      const { sent } = await throughRecorder(replicaUrl, '?sslmode=no-verify')
      const { ended } = await asleep(overTls(replicaUrl))
      await requestAndEnd(ended)
      expect(sent.length).to.be.greaterThan(1)
      for (const bytes of sent) {
        expect(bytes.subarray(0, 8)).to.deep.equal(SSL_REQUEST)
        expect(bytes.includes(CANCEL_REQUEST_CODE), 'a cancel request in clear text').to.equal(
          false,
        )
        expect(bytes.includes(keyOf()), 'the secret key in clear text').to.equal(false)
      }
    })

    it('goes to a server whose certificate has been verified', async () => {
      const { replicaUrl, folder: data } = standby.cluster
      const query = `?sslrootcert=${data}/standby/server.crt&sslmode=verify-full`
      const recorder = await throughRecorder(replicaUrl, query)
      const { ended } = await asleep(overTls(replicaUrl))
      await requestAndEnd(ended)

      const again = await asleep(overTls(replicaUrl))
      const [key, cert] = certificate(folder)!.map(file => readFileSync(file))
      let heard = ''
      let connectionCount = 0
      recorder.divert(socket => {
        connectionCount += 1
        socket.once('data', () => {
          socket.write('S')
          const secure = new TLSSocket(socket, { isServer: true, key, cert })
          secure.on('error', () => {}).on('data', bytes => (heard += bytes.toString('latin1')))
        })
      })
      const endCancel = requestCancel(client!)
      await until(() => connectionCount > 1)
      await endCancel()
      expect(heard, 'what a server with another certificate was told').to.equal('')
      const { processID } = client as unknown as { processID: number }
      await runSql(overTls(replicaUrl), `select pg_cancel_backend(${processID})`)
      expect(await again.ended).to.include({ code: '57014' })
    })
  })

  it('goes over the socket in the file system that its connection uses', async () => {
    const { replicaUrl } = await sharedCluster()
    const { server } = (recorder = record(replicaUrl))
    const { username, password, pathname } = new URL(replicaUrl)
    await new Promise<void>(resolve => server.listen(`${folder}/.s.PGSQL.5432`, resolve))
    const host = encodeURIComponent(folder)
    client = await connected(`postgres://${username}:${password}@${host}:5432${pathname}`, 'tap')
    const { ended } = await asleep(replicaUrl)
    await requestAndEnd(ended)
    expect(recorder.sent[1]?.subarray(4, 8)).to.deep.equal(CANCEL_REQUEST_CODE)
  })

  async function requestAndEnd(ended: Promise<unknown>): Promise<void> {
    const endCancel = requestCancel(client!)
    expect(await ended).to.include({ code: '57014' })
    await endCancel()
    const { rows } = await client!.query('select 1 as one')
    expect(rows, 'the next statement').to.deep.equal([{ one: 1 }])
  }
})
