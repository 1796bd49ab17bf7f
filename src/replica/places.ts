/** How many runs are under way on a replica at once, and who waits: by its pool, its circuit and its room. */
import type { Pool } from 'pg'
import type { Clock, Milliseconds } from '../terms.ts'
import { isFull, replicaProblem } from './classify-error.ts'
import { createRoom } from './room.ts'
import { createSlots } from './slots.ts'
import type { Slots } from './slots.ts'

export interface Places extends Pick<Slots, 'acquire' | 'waiting'> {
  /** Runs under way and waiting, to a place. */
  load(): number
  /** Whether there is a connection, used or idle, or one that is being made. */
  isConnected(): boolean
  /** The server has no connection more for us. */
  refused(): void
}

export function createPlaces(options: {
  readonly pool: Pool
  readonly poolSize: number
  /** How many of so many connections may be used now. */
  readonly places: (max: number) => number
  readonly queueTimeoutMs: Milliseconds
  readonly now: Clock
}): Places {
  const { pool, poolSize, places, now } = options
  // why: the pool's own count has those, too, that are being made
  let connected = 0
  pool.on('connect', () => void (connected += 1))
  pool.on('remove', () => void (connected -= 1))

  const room = createRoom({
    connected: () => connected,
    connect: makeOne,
    onMore: () => slots.look(),
    now: () => performance.now(),
  })
  const most = (): number => places(room.places(poolSize))
  const slots = createSlots({
    max: most,
    maxWaitMs: options.queueTimeoutMs,
    onFull: waitedMs =>
      replicaProblem(
        'overloaded',
        new Error(`no free slot for ${Math.round(waitedMs)} ms, ${slots.waiting()} wait`),
      ),
    onWait: () => room.wanted(),
    now,
  })

  async function makeOne(): Promise<boolean> {
    if (connected >= poolSize) return true
    try {
      const client = await pool.connect()
      client.release()
      return true
    } catch (error) {
      if (isFull(error)) return false
      throw error
    }
  }

  return {
    acquire: signal => slots.acquire(signal),
    waiting: () => slots.waiting(),
    load: () => (slots.inUse() + slots.waiting()) / most(),
    isConnected: () => pool.totalCount > 0,
    refused: () => room.refused(),
  }
}
