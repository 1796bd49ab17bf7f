import { expect } from 'chai'
import { createRoom } from '../../src/serve/replica/room.ts'

describe('the connections that a server has left', () => {
  /** A server that gives so many, and no more. */
  let server: { limit: number; connected: number; nowMs: number; tries: number; isAway: boolean }
  let room: ReturnType<typeof createRoom>
  const turn = () => new Promise(setImmediate)

  beforeEach(() => {
    server = { limit: 2, connected: 2, nowMs: 1_000_000, tries: 0, isAway: false }
    room = createRoom({
      connected: () => server.connected,
      async connect() {
        server.tries += 1
        await turn()
        if (server.isAway) throw new Error('away')
        if (server.connected >= server.limit) return false
        server.connected += 1
        return true
      },
      onMore: () => room.wanted(),
      now: () => server.nowMs,
    })
  })

  /** How often another connection is tried if one is wanted so much later. */
  async function triesAfter(ms: number): Promise<number> {
    server.nowMs += ms
    const before = server.tries
    room.wanted()
    for (let count = 0; count < 30; count += 1) await turn()
    return server.tries - before
  }

  it('are all until it has refused one, and then those that there are, and one at least', async () => {
    expect(room.places(8)).to.equal(8)
    expect(await triesAfter(10_000)).to.equal(0)
    server.connected = 0
    room.refused()
    expect(room.places(8)).to.equal(1)
    server.connected = 3
    expect([room.places(8), room.places(2)]).to.deep.equal([3, 2])
  })

  it('are tried half a second later if more are wanted, and then ever more rarely', async () => {
    room.refused()
    expect([await triesAfter(499), await triesAfter(1)]).to.deep.equal([0, 1])
    expect([await triesAfter(999), await triesAfter(1)]).to.deep.equal([0, 1])
    for (let second = 0; second < 30; second += 1) await triesAfter(1000)
    expect(server.tries).to.equal(2 + 6)
    expect(room.places(8)).to.equal(2)
  })

  it('grow at once as far as they go when the limit is raised', async () => {
    room.refused()
    server.limit = 5
    expect(await triesAfter(500)).to.equal(4)
    expect(room.places(8)).to.equal(5)
  })

  it('are all again a minute after the last refusal, which is not that the server is unavailable', async () => {
    room.refused()
    server.isAway = true
    await triesAfter(59_999)
    expect(room.places(8)).to.equal(2)
    server.nowMs += 1
    expect(room.places(8)).to.equal(8)
  })
})
