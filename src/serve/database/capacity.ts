/** How many concurrent executions a replica takes: by pool size, circuit breaker and refused connections. */
import type { ClientBase, Pool } from 'pg'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { isFull } from './classify-error.ts'

/** After an outage one slot is added per interval: 2 new connections a second. */
const SLOT_EVERY_MS: Milliseconds = 500
const FIRST_WAIT_MS: Milliseconds = 500
const LONGEST_WAIT_MS: Milliseconds = 5000
/** An older refusal is ignored: sessions of other clients may have ended, or the limit may have been raised. */
const FORGET_MS: Milliseconds = 60_000

export function createCapacity(options: {
  readonly pool: Pick<Pool, 'connect' | 'on' | 'totalCount'>
  readonly poolSize: number
  /** How long the circuit breaker has been closed; undefined while it is not. */
  readonly closedMs: () => Milliseconds | undefined
  /** Called when slots may have been added. */
  readonly onMore: () => void
  readonly now?: Clock
}) {
  const { pool, poolSize, closedMs, onMore, now = () => performance.now() } = options
  // why: the pool's own count includes connections that are being made
  const connected = new Set<ClientBase>()
  pool.on('connect', client => void connected.add(client))
  // why: if a connection is lost before checkout, the pool emits `remove` twice, first before `connect`
  pool.on('remove', client => void connected.delete(client))
  let refusedAt = Number.NEGATIVE_INFINITY
  let waitMs = FIRST_WAIT_MS
  let tryAfter = 0
  let isTrying = false

  const isLimited = (): boolean => now() - refusedAt < FORGET_MS

  /** Tries one connection outside the executions, so that no execution is refused. */
  async function tryConnection(): Promise<void> {
    isTrying = true
    const before = connected.size
    try {
      if (before < poolSize) (await pool.connect()).release()
    } catch (error) {
      // why: the circuit breaker detects an unreachable server
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
    /** The current number, which may change at any time. */
    slots(): number {
      const sinceOutageMs = closedMs()
      if (sinceOutageMs === undefined) return 0
      const afterOutage = 1 + Math.floor(sinceOutageMs / SLOT_EVERY_MS)
      const afterRefusal = isLimited() ? Math.max(1, connected.size) : poolSize
      return Math.min(poolSize, afterOutage, afterRefusal)
    },
    /** Whether a connection is in use, idle or being made. */
    isConnected: () => pool.totalCount > 0,
    /** The server refused a connection: too many for this role. */
    refused(): void {
      if (!isLimited()) waitMs = FIRST_WAIT_MS
      refusedAt = now()
      tryAfter = Math.max(tryAfter, refusedAt + waitMs)
    },
    /** Executions wait for a slot: after a refusal, another connection is tried from time to time. */
    onQueued(): void {
      if (isLimited() && !isTrying && now() >= tryAfter) void tryConnection()
    },
  }
}
