import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import type { Pool } from 'pg'
import { createCapacity } from '../../src/serve/database/capacity.ts'

describe('the slots of a replica', () => {
  let closedMs: number | undefined
  let pool: EventEmitter
  let capacity: ReturnType<typeof createCapacity>

  beforeEach(() => {
    closedMs = Infinity
    pool = new EventEmitter()
    capacity = createCapacity({
      pool: pool as Pool,
      poolSize: 8,
      closedMs: () => closedMs,
      onMore: () => undefined,
    })
  })

  it('are all until a connection is refused, then the open connections, at least one', () => {
    expect(capacity.slots()).to.equal(8)
    capacity.refused()
    const slots = Array.from({ length: 10 }, () => {
      const before = capacity.slots()
      pool.emit('connect', {})
      return before
    })
    expect(slots).to.deep.equal([1, 1, 2, 3, 4, 5, 6, 7, 8, 8])
  })

  it('are none in an outage, one after it, and another every half second', () => {
    const slots = [undefined, 0, 400, 500, 1000, 2000, 60_000].map(ms => {
      closedMs = ms
      return capacity.slots()
    })
    expect(slots).to.deep.equal([0, 1, 1, 2, 3, 5, 8])
  })
})
