import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import type { Pool } from 'pg'
import { createCapacity } from '../../src/serve/replica/capacity.ts'

describe('the slots of a replica', () => {
  /** A server with a connection limit. */
  let server: {
    limit: number
    nowMs: number
    closedMs: number | undefined
    tries: number
    isAway: boolean
  }
  let connected: number
  let clients: object[]
  let pool: EventEmitter
  let capacity: ReturnType<typeof createCapacity>
  const turn = () => new Promise(setImmediate)

  beforeEach(() => {
    server = { limit: 2, nowMs: 1_000_000, closedMs: Infinity, tries: 0, isAway: false }
    connected = 0
    clients = []
    pool = new EventEmitter()
    const connect = async () => {
      server.tries += 1
      await turn()
      if (server.isAway) throw new Error('away')
      if (connected >= server.limit) throw Object.assign(new Error('full'), { code: '53300' })
      grow(1)
      return { release: () => undefined }
    }
    capacity = createCapacity({
      pool: Object.assign(pool, { connect, totalCount: 0 }) as unknown as Pool,
      poolSize: 8,
      closedMs: () => server.closedMs,
      onMore: () => capacity.onQueued(),
      now: () => server.nowMs,
    })
    grow(2)
  })

  function grow(by: number): void {
    connected += by
    for (let count = 0; count < by; count += 1) pool.emit('connect', (clients[clients.length] = {}))
    for (const client of clients.splice(Math.min(connected, clients.length))) {
      pool.emit('remove', client)
    }
  }

  /** Number of attempts to connect if executions wait after this time. */
  async function triesAfter(ms: number): Promise<number> {
    server.nowMs += ms
    const before = server.tries
    capacity.onQueued()
    for (let count = 0; count < 30; count += 1) await turn()
    return server.tries - before
  }

  it('are all until a connection is refused, then the open connections, at least one', async () => {
    expect(capacity.slots()).to.equal(8)
    expect(await triesAfter(10_000)).to.equal(0)
    capacity.refused()
    grow(-2)
    expect(capacity.slots()).to.equal(1)
    grow(3)
    expect(capacity.slots()).to.equal(3)
    grow(7)
    expect(capacity.slots(), 'never more than the pool').to.equal(8)
  })

  it('count a connection once if it is lost before checkout', () => {
    const client = {}
    for (const event of ['remove', 'connect', 'remove']) pool.emit(event, client)
    capacity.refused()
    expect(capacity.slots()).to.equal(2)
  })

  it('are none in an outage, one after it, and another every half second', () => {
    const slots = [undefined, 0, 400, 500, 1000, 2000, 60_000].map(ms => {
      server.closedMs = ms
      return capacity.slots()
    })
    expect(slots).to.deep.equal([0, 1, 1, 2, 3, 5, 8])
  })

  it('are tried half a second later if executions wait, then at increasing intervals', async () => {
    capacity.refused()
    expect([await triesAfter(499), await triesAfter(1)]).to.deep.equal([0, 1])
    expect([await triesAfter(999), await triesAfter(1)]).to.deep.equal([0, 1])
    for (let second = 0; second < 30; second += 1) await triesAfter(1000)
    expect(server.tries).to.equal(2 + 6)
    expect(capacity.slots()).to.equal(2)
  })

  it('grow at once to the new limit when it is raised', async () => {
    capacity.refused()
    server.limit = 5
    expect(await triesAfter(500)).to.equal(4)
    expect(capacity.slots()).to.equal(5)
  })

  it('are all again a minute after the last refusal; an unavailable server is no refusal', async () => {
    capacity.refused()
    server.isAway = true
    await triesAfter(59_999)
    expect(capacity.slots()).to.equal(2)
    server.nowMs += 1
    expect(capacity.slots()).to.equal(8)
  })
})
