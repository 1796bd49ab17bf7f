/** How many executions a replica takes at once: by its pool size, its circuit and the connections that it refused. */
import type { ClientBase, Pool } from 'pg'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { isFull } from './classify-error.ts'

/** After an outage one more slot so often: 2 new connections a second. */
const SLOT_EVERY_MS: Milliseconds = 500
const FIRST_WAIT_MS: Milliseconds = 500
const LONGEST_WAIT_MS: Milliseconds = 5000
/** Sessions of others end, and limits are raised: an older refusal tells nothing. */
const FORGET_MS: Milliseconds = 60_000

export function createCapacity(options: {
  readonly pool: Pick<Pool, 'connect' | 'on' | 'totalCount'>
  readonly poolSize: number
  /** How long the circuit has been closed; undefined while it is not. */
  readonly closedMs: () => Milliseconds | undefined
  /** There may be more slots than a moment ago. */
  readonly onMore: () => void
  readonly now?: Clock
}) {
  const { pool, poolSize, closedMs, onMore, now = () => performance.now() } = options
  // why: the pool's own count includes connections that are being made
  const connected = new Set<ClientBase>()
  pool.on('connect', client => void connected.add(client))
  // why: of one that is lost before it was handed out, the pool tells this first, and then once more
  pool.on('remove', client => void connected.delete(client))
  let refusedAt = Number.NEGATIVE_INFINITY
  let waitMs = FIRST_WAIT_MS
  let tryAfter = 0
  let isTrying = false

  const isLimited = (): boolean => now() - refusedAt < FORGET_MS

  /** Makes one connection beside the executions, so that none of them pays for a refusal. */
  async function tryConnection(): Promise<void> {
    isTrying = true
    const before = connected.size
    try {
      if (before < poolSize) (await pool.connect()).release()
    } catch (error) {
      // why: the circuit breaker finds out that the way to the server is broken
      if (isFull(error)) {
        refusedAt = now()
        waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
      }
    }
    isTrying = false
    if (connected.size > before) {
      waitMs = FIRST_WAIT_MS
      onMore()
    } else tryAfter = now() + waitMs
  }

  return {
    /** May change at any time. */
    slots(): number {
      const sinceOutageMs = closedMs()
      if (sinceOutageMs === undefined) return 0
      const afterOutage = 1 + Math.floor(sinceOutageMs / SLOT_EVERY_MS)
      const afterRefusal = isLimited() ? Math.max(1, connected.size) : poolSize
      return Math.min(poolSize, afterOutage, afterRefusal)
    },
    /** Whether there is a connection, used, idle or being made. */
    isConnected: () => pool.totalCount > 0,
    /** The server refused a connection, because it has no more for this role. */
    refused(): void {
      if (!isLimited()) waitMs = FIRST_WAIT_MS
      refusedAt = now()
      tryAfter = Math.max(tryAfter, refusedAt + waitMs)
    },
    /** Executions wait for a slot: if connections were refused, one more is tried now and then. */
    wanted(): void {
      if (isLimited() && !isTrying && now() >= tryAfter) void tryConnection()
    },
  }
}
