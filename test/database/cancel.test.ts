// Cancel requests on the wire: a proxy in front of a real server records the bytes of the client.
import { readFileSync } from 'node:fs'
import { connect as connectTo, createServer, type AddressInfo } from 'node:net'
import { TLSSocket } from 'node:tls'
import { expect } from 'chai'
import { requestCancel } from '../../src/serve/database/cancel.ts'
import type { DatabaseClient } from '../../src/serve/database/database-client.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { run } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { certificate, overTls, standbyWithTls } from '../harness/tls.ts'
import { until } from '../harness/until.ts'
import { reasonOf, serversOfTests, rowsOf, started } from './execute.ts'
import { connected } from './rows.ts'
import { startWire, type Wire } from './wire.ts'

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const CANCEL_REQUEST_CODE = Buffer.from([4, 210, 22, 46])

const BACKEND = 'select pg_backend_pid()'
/** Long enough for a late cancel request to affect it. */
const NEXT =
  'select pg_backend_pid() from (select count(*) from generate_series(1, 10000)) as counted'
const STATEMENTS = [
  // In the select list instead of after `from`, where PostgreSQL would materialize all rows first.
  "select generate_series(1, 2000), repeat('x', 100)",
  'select count(*)::text from generate_series(1, 20000)',
  'select pg_sleep(60)',
]

describe('a session whose execution was cancelled', () => {
  const serverAt = serversOfTests()

  it('is reused, and the next statement is not killed, after an abort at any moment', async () => {
    const replica = serverAt((await sharedCluster()).replicaUrl)
    const [before] = await rowsOf(replica, BACKEND)
    for (let turns = 0; turns < 120; turns += 1) {
      const { abort, ended } = started(replica, STATEMENTS[turns % STATEMENTS.length]!)
      for (let turn = 0; turn < turns % 41; turn += 1) await new Promise(setImmediate)
      abort()
      const next = rowsOf(replica, NEXT)
      await ended
      expect(await next).to.deep.equal([before])
    }
  })
})

describe('a cancel request', () => {
  const folder = temporaryFolder()
  let wire: Wire | undefined
  let client: DatabaseClient
  /** Received bytes of each connection, in order. */
  let sent: Buffer[]

  afterEach(async () => {
    wire?.close()
    await client.end().catch(() => undefined)
  })

  /** URL through the recording proxy. */
  async function connect(target: string, query = ''): Promise<void> {
    sent = []
    wire = await startWire(target, {
      toServer(bytes, connection) {
        sent[connection] = Buffer.concat([sent[connection] ?? Buffer.alloc(0), bytes])
        return bytes
      },
    })
    client = await connected(wire.url + query)
  }

  async function asleep(admin: string): Promise<{ readonly ended: Promise<unknown> }> {
    const ended = reasonOf(client.query('select pg_sleep(20)'))
    const active = `select from pg_stat_activity where pid = ${client.processID} and state = 'active'`
    await until(async () => (await run(admin, active)).length === 1)
    return { ended }
  }

  async function expectCancelled(admin: string): Promise<void> {
    const { ended } = await asleep(admin)
    const handled = requestCancel(client)
    expect(await ended).to.include({ code: '57014' })
    await handled
    const { rows } = await client.query('select 1 as one')
    expect(rows, 'the next statement').to.deep.equal([{ one: 1 }])
  }

  describe('to a server that requires TLS', () => {
    const standby = standbyWithTls({ only: true })

    it('uses TLS, without any byte in clear text', async () => {
      const { replicaUrl } = standby.cluster
      expect(await reasonOf(connected(replicaUrl))).to.include({ code: '28000' })
      await connect(replicaUrl, '?sslmode=no-verify')
      await expectCancelled(overTls(replicaUrl))
      expect(sent.length).to.be.greaterThan(1)
      const key = Buffer.alloc(4)
      key.writeInt32BE(client.secretKey!)
      for (const bytes of sent) {
        expect(bytes.subarray(0, 8)).to.deep.equal(SSL_REQUEST)
        expect(bytes.includes(CANCEL_REQUEST_CODE), 'a cancel request in clear text').to.equal(
          false,
        )
        expect(bytes.includes(key), 'the secret key in clear text').to.equal(false)
      }
    })

    it('is sent only to a server with a verified certificate', async () => {
      const { replicaUrl, folder: data } = standby.cluster
      await connect(replicaUrl, `?sslrootcert=${data}/standby/server.crt&sslmode=verify-full`)
      await expectCancelled(overTls(replicaUrl))

      const { ended } = await asleep(overTls(replicaUrl))
      const [key, cert] = certificate(folder)!.map(file => readFileSync(file))
      let heard = ''
      let connectionCount = 0
      const impostor = createServer(socket => {
        connectionCount += 1
        socket.once('data', () => {
          socket.write('S')
          const secure = new TLSSocket(socket, { isServer: true, key, cert })
          secure.on('error', () => {}).on('data', bytes => (heard += bytes.toString('latin1')))
        })
      })
      await new Promise<void>(resolve => impostor.listen(0, '127.0.0.1', resolve))
      client.port = (impostor.address() as AddressInfo).port
      const handled = requestCancel(client)
      await until(() => connectionCount > 0)
      await handled
      impostor.close()
      expect(heard, 'bytes received by a server with another certificate').to.equal('')
      await run(overTls(replicaUrl), `select pg_cancel_backend(${client.processID})`)
      expect(await ended).to.include({ code: '57014' })
    })
  })

  it('uses the Unix socket of its connection', async () => {
    const { replicaUrl } = await sharedCluster()
    const { username, password, pathname, hostname, port } = new URL(replicaUrl)
    const server = createServer(socket => {
      const upstream = connectTo(Number(port), hostname).on('error', () => {})
      socket
        .on('error', () => {})
        .pipe(upstream)
        .pipe(socket)
    })
    await new Promise<void>(resolve => server.listen(`${folder}/.s.PGSQL.5432`, resolve))
    const host = encodeURIComponent(folder)
    const url = `postgres://${username}:${password}@${host}:5432${pathname}`
    client = await connected(url)
    await expectCancelled(replicaUrl)
    server.close()
  })
})
