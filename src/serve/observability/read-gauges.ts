/** What is read at the moment of a scrape: from memory, at once, whatever becomes of the databases. */
import type { Gauges } from '../../model/gauges.ts'
import type { Instruments } from './instruments.ts'

/** A gauge that throws shows as unknown and spoils nothing else of the scrape. */
export function readGauges({ gauge }: Instruments, gauges: Gauges): void {
  const inFlight = gauge('svodka_http_requests_in_flight')
  attempt(
    () => inFlight.set(gauges.inFlight()),
    () => inFlight.set(Number.NaN),
  )

  const queueLength = gauge('svodka_admission_queue_length')
  attempt(
    () => queueLength.set(gauges.queueLength()),
    () => queueLength.set(Number.NaN),
  )

  const invalidRows = gauge('svodka_access_rows_invalid')
  attempt(
    () => invalidRows.set(gauges.invalidAccessRowCount()),
    () => invalidRows.set(Number.NaN),
  )

  const byteCount = gauge('svodka_cache_bytes')
  const maxBytes = gauge('svodka_cache_max_bytes')
  const entryCount = gauge('svodka_cache_entries')
  const aliasByteCount = gauge('svodka_cache_alias_bytes')
  attempt(
    () => {
      const cache = gauges.cache()
      byteCount.set(cache.byteCount)
      maxBytes.set(cache.maxBytes)
      entryCount.set(cache.entryCount)
      aliasByteCount.set(cache.aliasByteCount)
    },
    () => [byteCount, maxBytes, entryCount, aliasByteCount].forEach(each => each.set(Number.NaN)),
  )

  const spooled = gauge('svodka_spool_bytes')
  const held = gauge('svodka_http_unread_bytes')
  attempt(
    () => {
      const { spooledBytes, heldBytes } = gauges.unread()
      spooled.set(spooledBytes)
      held.set(heldBytes)
    },
    () => [spooled, held].forEach(each => each.set(Number.NaN)),
  )

  const connections = gauge('svodka_db_pool_connections')
  const maxConnections = gauge('svodka_db_pool_max_connections')
  const waiters = gauge('svodka_db_pool_waiters')
  attempt(
    () => {
      for (const { pool, replica, inUse, idle, waiting, max } of gauges.pools()) {
        connections.set({ pool, replica, state: 'in_use' }, inUse)
        connections.set({ pool, replica, state: 'idle' }, idle)
        maxConnections.set({ pool, replica }, max)
        waiters.set({ pool, replica }, waiting)
      }
    },
    () => [connections, maxConnections, waiters].forEach(each => each.reset()),
  )

  readKeyDatabases({ gauge }, gauges)
}

function readKeyDatabases({ gauge }: Pick<Instruments, 'gauge'>, gauges: Gauges): void {
  const usable = gauge('svodka_key_database_usable')
  const lag = gauge('svodka_key_database_lag_seconds')
  const open = gauge('svodka_key_database_circuit_open')
  attempt(
    () => {
      for (const { replica, isReached, lagSeconds, counts } of gauges.keyDatabases()) {
        usable.set({ replica }, counts === undefined ? Number.NaN : Number(counts))
        lag.set({ replica }, lagSeconds ?? Number.NaN)
        open.set({ replica }, Number(!isReached))
      }
    },
    () => [usable, lag, open].forEach(each => each.reset()),
  )
}

function attempt(read: () => void, giveUp: () => void): void {
  try {
    read()
  } catch {
    giveUp()
  }
}
