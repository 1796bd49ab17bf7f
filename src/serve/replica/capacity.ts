/** How many executions a replica takes at once: by its pool, its circuit and the connections that its server allows. */
import type { Pool } from 'pg'
import { isFull } from './classify-error.ts'
import { createRoom } from './room.ts'

export interface Capacity {
  /** May change at any time. */
  slots(): number
  /** Whether there is a connection, used, idle or being made. */
  isConnected(): boolean
  /** The server refused a connection, because it has no more for this role. */
  refused(): void
  /** Executions wait for a slot: one more connection is tried now and then. */
  wanted(): void
}

export function createCapacity(options: {
  readonly pool: Pool
  readonly poolSize: number
  /** How many of `max` connections may be used now. */
  readonly limitConnections: (max: number) => number
  /** There may be more slots than a moment ago. */
  readonly onMore: () => void
}): Capacity {
  const { pool, poolSize, limitConnections, onMore } = options
  // why: the pool's own count includes connections that are being made
  let connected = 0
  pool.on('connect', () => void (connected += 1))
  pool.on('remove', () => void (connected -= 1))

  const room = createRoom({
    connected: () => connected,
    connect: makeOne,
    onMore,
    now: () => performance.now(),
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
    slots: () => limitConnections(room.places(poolSize)),
    isConnected: () => pool.totalCount > 0,
    refused: () => room.refused(),
    wanted: () => room.wanted(),
  }
}
