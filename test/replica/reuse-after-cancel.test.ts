// A session is reused after its execution was cancelled, and no cancel request meets the next statement.
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { expect } from 'chai'
import { createReplica, type Replica } from '../../src/replica/replica.ts'
import { sharedCluster } from '../support/cluster.ts'
import { overTls, standbyWithTls } from '../support/tls.ts'
import { keepingSink } from './rows.ts'

/** `CANCEL_PAIRS=6000` for a figure; few of them show a session that is not reused. */
const PAIRS = Number(process.env['CANCEL_PAIRS'] ?? 400)
const BACKEND = 'select pg_backend_pid()'
/** Long enough for a late cancel request to meet it. */
const NEXT =
  'select pg_backend_pid() from (select count(*) from generate_series(1, 10000)) as counted'
const STATEMENTS = [
  // In the select list, and not after `from`, where PostgreSQL would make all of it first.
  "select generate_series(1, 2000), repeat('x', 100)",
  'select count(*)::text from generate_series(1, 20000)',
  'select pg_sleep(60)',
]

describe('a session whose execution was cancelled', function () {
  this.timeout(600_000)
  const opened: Replica[] = []
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(replica => replica.close()))
  })

  function replicaAt(connectionString: string, poolSize: number): Replica {
    const replica = createReplica({
      connectionString,
      poolSize,
      connectTimeoutMs: 5000,
      allowPrimary: false,
      state: () => undefined,
      stateAgeMs: () => 0,
      observe: () => {},
      now: () => performance.now(),
    })
    opened.push(replica)
    return replica
  }

  async function valuesOf(
    replica: Replica,
    text: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<unknown> {
    const sink = keepingSink()
    const run = { name: 'x', alike: '1', text, preparedName: text.slice(0, 63), values: [] }
    const open = () => ({ sink, finish: () => {}, isOut: () => false })
    await replica.run({ ...run, timeoutMs: 60_000, open, signal })
    return sink.rows[0]?.[0]
  }

  async function turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve))
  }

  /** Aborts at any instant between `begin` and the last row, and executes the next at once. */
  async function abortedAndNext(replica: Replica, pairCount: number): Promise<Set<unknown>> {
    const backends = new Set<unknown>()
    for (let pair = 0; pair < pairCount; pair++) {
      const abort = new AbortController()
      const ended = valuesOf(replica, STATEMENTS[pair % STATEMENTS.length]!, abort.signal).catch(
        (error: unknown) => error,
      )
      await turns(pair % 41)
      abort.abort(new Error('aborted'))
      const next = valuesOf(replica, NEXT)
      await ended
      backends.add(await next)
    }
    return backends
  }

  it('is reused, and the next statement is not killed', async () => {
    const { replicaUrl } = await sharedCluster()
    const replica = replicaAt(replicaUrl, 1)
    const before = await valuesOf(replica, BACKEND)
    expect([...(await abortedAndNext(replica, PAIRS))]).to.deep.equal([before])
  })

  describe('over TLS', () => {
    const standby = standbyWithTls()

    it('is reused, and the next statement is not killed', async () => {
      const replica = replicaAt(overTls(standby.cluster.replicaUrl), 1)
      const before = await valuesOf(replica, BACKEND)
      expect([...(await abortedAndNext(replica, PAIRS / 4))]).to.deep.equal([before])
    })
  })

  it('is there after 60 aborts at once', async () => {
    const { replicaUrl } = await sharedCluster()
    const POOL = 4
    const replica = replicaAt(replicaUrl, POOL)
    const all = async (): Promise<unknown[]> => {
      const sleeping = `select pg_backend_pid() from (select pg_sleep(0.2)) as slept`
      const found = await Promise.all(
        Array.from({ length: POOL }, () => valuesOf(replica, sleeping)),
      )
      return found.map(String).toSorted()
    }
    const before = await all()
    const storm = Array.from({ length: 60 }, async (_, place) => {
      const abort = new AbortController()
      setTimeout(() => abort.abort(new Error('aborted')), place * 2)
      await valuesOf(replica, 'select pg_sleep(60)', abort.signal).catch(() => undefined)
    })
    await Promise.all(storm)
    expect(await all()).to.deep.equal(before)
  })

  describe('where no cancel request gets through', () => {
    let server: Server
    const sockets: Socket[] = []
    let sessionCount = 0

    before(async () => {
      const { hostname, port } = new URL((await sharedCluster()).replicaUrl)
      server = createServer(client => {
        sockets.push(client.on('error', () => {}))
        client.once('data', first => {
          // why: a cancel request is swallowed, and its connection stays
          if (first.readInt32BE(4) === 80_877_102) return
          sessionCount += 1
          const upstream = connect(Number(port), hostname)
          sockets.push(upstream.on('error', () => client.destroy()))
          client.on('close', () => upstream.destroy())
          upstream.write(first)
          client.pipe(upstream).pipe(client)
        })
      })
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    })
    after(() => {
      for (const socket of sockets) socket.destroy()
      server?.close()
    })

    it('is replaced, by two a second at most', async () => {
      const POOL = 6
      const target = new URL((await sharedCluster()).replicaUrl)
      const port = String((server.address() as AddressInfo).port)
      const replica = replicaAt(Object.assign(target, { port }).href, POOL)
      const startedAt = performance.now()
      const elapsedMs = (): number => performance.now() - startedAt
      const client = async (): Promise<void> => {
        while (elapsedMs() < 5000) {
          const abort = new AbortController()
          const ended = valuesOf(replica, 'select pg_sleep(60)', abort.signal)
          setTimeout(() => abort.abort(new Error('aborted')), 100)
          await ended.catch(() => undefined)
        }
      }
      await Promise.all(Array.from({ length: POOL }, client))
      const replacedCount = sessionCount - POOL
      expect(replacedCount, 'sessions are replaced').to.be.greaterThan(2)
      expect(replacedCount).to.be.at.most(1 + elapsedMs() / 500)
      expect(await valuesOf(replica, BACKEND)).to.be.a('string')
    })
  })
})
