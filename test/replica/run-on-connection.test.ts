import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { expect } from 'chai'
import type { ReplicaState } from '../../src/observation.ts'
import { classify } from '../../src/replica/classify-error.ts'
import type { ReplicaRun } from '../../src/replica/replica-run.ts'
import { createReplica, type Replica } from '../../src/replica/replica.ts'
import { sharedCluster } from '../support/cluster.ts'
import { keepingSink } from './rows.ts'

const STANDBY: ReplicaState = {
  inRecovery: true,
  usable: true,
  dataAsOf: undefined,
  lagSeconds: 2,
  replayPaused: false,
}

describe('a run on a connection', function () {
  this.timeout(60_000)
  let url: string
  let replica: Replica
  let state = STANDBY
  let server: Server | undefined
  const sockets: Socket[] = []

  before(async () => {
    url = (await sharedCluster()).replicaUrl
  })
  beforeEach(() => {
    replica = replicaAt(url)
    state = STANDBY
  })
  afterEach(() => replica.close())
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    server?.close()
  })

  const replicaAt = (connectionString: string): Replica =>
    createReplica({
      connectionString,
      poolSize: 1,
      connectTimeoutMs: 5000,
      allowPrimary: false,
      state: () => state,
      stateAgeMs: () => 0,
      lookAnew: async () => {},
      observe: () => {},
      now: () => performance.now(),
    })

  /** What it ended with, if not well. */
  function errorOf(text: string, over: Partial<ReplicaRun> = {}): Promise<unknown> {
    const run = { name: 'x', alike: '1', text, preparedName: text.slice(0, 63), values: [] }
    return replica
      .run({
        ...run,
        timeoutMs: 5000,
        open: () => ({ sink: keepingSink(), finish: () => {}, isOut: () => false }),
        signal: new AbortController().signal,
        ...over,
      })
      .then(
        () => undefined,
        (error: unknown) => error,
      )
  }

  async function pid(): Promise<string> {
    const sink = keepingSink()
    const open = () => ({ sink, finish: () => {}, isOut: () => false })
    expect(await errorOf('select pg_backend_pid()::text', { open })).to.equal(undefined)
    return JSON.stringify(sink.rows)
  }

  it('is refused where the replica has fallen too far behind since it was sent there', async () => {
    expect(await errorOf('select 1', { maxLagMs: 3000 })).to.equal(undefined)
    state = { ...STANDBY, lagSeconds: 4 }
    const { problem, remedy } = classify(await errorOf('select 1', { maxLagMs: 3000 }))
    expect([problem.code, remedy]).to.deep.equal(['replica_unavailable', 'elsewhere'])
    expect(await errorOf('select 1')).to.equal(undefined)
  })

  it('gives its connection back where its reader cannot begin', async () => {
    const cause = new TypeError('bug')
    const open = (): never => {
      throw cause
    }
    expect(await errorOf('select 1', { open })).to.include({ code: 'internal_error', cause })
    expect(await errorOf('select 1'), 'on the only connection there may be').to.equal(undefined)
  })

  it('leaves its connection as it was after an error of its own, in whatever language', async () => {
    const english = Buffer.from('SERROR\0VERROR\0')
    server = createServer(client => {
      const { hostname, port } = new URL(url)
      const upstream = connect(Number(port), hostname)
      for (const socket of [client, upstream]) sockets.push(socket.on('error', () => {}))
      client.on('data', bytes => void upstream.write(bytes))
      let held = Buffer.alloc(0)
      upstream.on('data', bytes => {
        held = Buffer.concat([held, bytes])
        const at = held.indexOf(english)
        if (at >= 0) held.write('SFEHLR', at)
        // why: the server may tell in a packet of its own that it is ready, and until then the connection is not
        if (at >= 0 && held.at(-6) !== 'Z'.charCodeAt(0)) return
        client.write(held)
        held = Buffer.alloc(0)
      })
    })
    await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
    await replica.close()
    const { port } = server.address() as AddressInfo
    replica = replicaAt(Object.assign(new URL(url), { port: String(port) }).href)
    const before = await pid()
    expect(await errorOf('select 1 / 0')).to.have.nested.property('cause.severity', 'FEHLR')
    expect(await pid()).to.equal(before)
  })
})
