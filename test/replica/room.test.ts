import { expect } from 'chai'
import { createRoom } from '../../src/replica/room.ts'

describe('the room that a server has for connections', () => {
  function setUp() {
    const world = { connected: 0, nowMs: 1_000_000 }
    const room = createRoom({ connected: () => world.connected, now: () => world.nowMs })
    return { world, room }
  }

  it('is all that is wanted until it has refused one', () => {
    expect(setUp().room.places(8)).to.equal(8)
  })

  it('is what there are once it has, and one at least', () => {
    const { world, room } = setUp()
    room.refused()
    expect(room.places(8)).to.equal(1)
    world.connected = 3
    expect(room.places(8)).to.equal(3)
    expect(room.places(2)).to.equal(2)
  })

  it('is one more every five seconds, until it refuses again', () => {
    const { world, room } = setUp()
    world.connected = 2
    room.refused()
    world.nowMs += 4999
    expect(room.places(8)).to.equal(2)
    world.nowMs += 1
    expect(room.places(8)).to.equal(3)
    room.refused()
    expect(room.places(8)).to.equal(2)
    world.nowMs += 60_000
    expect(room.places(8)).to.equal(8)
  })
})
