import { expect } from 'chai'
import { createRoom } from '../../src/replica/room.ts'

const turn = () => new Promise(resolve => setImmediate(resolve))

/** A server that gives so many connections, and no more. */
function world(limit: number) {
  const server = { limit, connected: 0, nowMs: 1_000_000, tries: 0, told: 0, isAway: false }
  const room = createRoom({
    connected: () => server.connected,
    async connect() {
      server.tries += 1
      await turn()
      if (server.isAway) throw new Error('away')
      if (server.connected >= server.limit) return false
      server.connected += 1
      return true
    },
    onMore() {
      server.told += 1
      room.wanted()
    },
    now: () => server.nowMs,
  })
  const wantedAfter = async (ms: number): Promise<number> => {
    server.nowMs += ms
    const before = server.tries
    room.wanted()
    for (let count = 0; count < 30; count += 1) await turn()
    return server.tries - before
  }
  return { server, room, wantedAfter }
}

describe('the room that a server has for connections', () => {
  it('is all that is wanted until it has refused one', async () => {
    const { room, wantedAfter } = world(2)
    expect(room.places(8)).to.equal(8)
    expect(await wantedAfter(10_000)).to.equal(0)
  })

  it('is what there are once it has, and one at least', () => {
    const { server, room } = world(3)
    room.refused()
    expect(room.places(8)).to.equal(1)
    server.connected = 3
    expect([room.places(8), room.places(2)]).to.deep.equal([3, 2])
  })

  it('is tried half a second later where somebody waits, and then ever more rarely', async () => {
    const { server, room, wantedAfter } = world(2)
    server.connected = 2
    room.refused()
    expect([await wantedAfter(499), await wantedAfter(1)]).to.deep.equal([0, 1])
    expect([await wantedAfter(999), await wantedAfter(1)]).to.deep.equal([0, 1])
    const tries: number[] = []
    for (let second = 0; second < 30; second += 1) tries.push(await wantedAfter(1000))
    expect(tries.reduce((sum, count) => sum + count)).to.equal(6)
    expect(room.places(8)).to.equal(2)
  })

  it('grows at once as far as it goes when the limit is raised', async () => {
    const { server, room, wantedAfter } = world(2)
    server.connected = 2
    room.refused()
    server.limit = 5
    expect(await wantedAfter(500)).to.equal(4)
    expect([server.told, room.places(8)]).to.deep.equal([3, 5])
  })

  it('is all again a minute after the last refusal', () => {
    const { server, room } = world(2)
    server.connected = 2
    room.refused()
    server.nowMs += 59_999
    expect(room.places(8)).to.equal(2)
    server.nowMs += 1
    expect(room.places(8)).to.equal(8)
  })

  it('is not found to be less where the server is away', async () => {
    const { server, room, wantedAfter } = world(2)
    server.connected = 2
    room.refused()
    server.isAway = true
    await wantedAfter(59_000)
    server.nowMs += 1000
    expect(room.places(8)).to.equal(8)
  })
})
