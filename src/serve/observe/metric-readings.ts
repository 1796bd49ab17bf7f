/** Metrics that are read at a scrape, synchronously, from memory. */
import type { LRUCache } from 'lru-cache'
import type { Gauges, KeyDatabaseStatus } from '../../model/gauges.ts'
import type { MetricName } from './metric-table.ts'

/** A value with its label values, in the order of the labels. */
type Sample = readonly [value: number, ...labels: string[]]

/** The values of a gauge at a scrape. */
export type Reading = () => number | readonly Sample[]

export interface BuildInfo {
  readonly version: string
  readonly revision?: string | undefined
}

export function createReadings(
  gauges: Gauges,
  largestRows: LRUCache<string, number>,
  { version, revision = 'unknown' }: BuildInfo,
): { readonly [Name in MetricName]?: Reading } {
  const ofKeyDatabases = (valueOf: (database: KeyDatabaseStatus) => number) => (): Sample[] =>
    gauges.keyDatabases().map(database => [valueOf(database), database.replica])

  return {
    svodka_http_requests_in_flight: () => gauges.inFlight(),
    svodka_http_unread_bytes: () => gauges.bufferedBytes().heldBytes,
    svodka_cache_bytes: () => gauges.cache().byteCount,
    svodka_cache_max_bytes: () => gauges.cache().maxBytes,
    svodka_cache_alias_bytes: () => gauges.cache().aliasByteCount,
    svodka_cache_entries: () => gauges.cache().entryCount,
    svodka_spool_bytes: () => gauges.bufferedBytes().spooledBytes,
    svodka_spool_max_bytes: () => gauges.bufferedBytes().maxSpooledBytes,
    svodka_access_rows_invalid: () => gauges.invalidAccessRowCount(),
    svodka_key_database_usable: ofKeyDatabases(({ isUsable }) => Number(isUsable ?? Number.NaN)),
    svodka_key_database_lag_seconds: ofKeyDatabases(({ lagSeconds = Number.NaN }) => lagSeconds),
    svodka_key_database_circuit_open: ofKeyDatabases(({ isReached }) => Number(!isReached)),
    svodka_db_pool_connections: () =>
      gauges.pools().flatMap(({ pool, replica, inUse, idle }): Sample[] => [
        [inUse, pool, replica, 'in_use'],
        [idle, pool, replica, 'idle'],
      ]),
    svodka_db_pool_max_connections: () =>
      gauges.pools().map(({ pool, replica, max }) => [max, pool, replica]),
    svodka_db_pool_waiters: () =>
      gauges.pools().map(({ pool, replica, waiting }) => [waiting, pool, replica]),
    svodka_busiest_organization_ratio: () => gauges.busiestRatio(),
    svodka_admission_queue_length: () => gauges.queueLength(),
    svodka_build_info: () => [[1, version, process.version, revision]],
    svodka_definitions_refused: () => gauges.refusedDefinitionCount(),
    svodka_definition_timeout_seconds: () =>
      gauges.definitions().map(({ name, timeoutMs }) => [timeoutMs / 1000, name]),
    svodka_definition_max_rows: () =>
      gauges
        .definitions()
        .flatMap(({ name, maxRows }): Sample[] => (maxRows === undefined ? [] : [[maxRows, name]])),
    svodka_definition_largest_rows: () =>
      gauges.definitions().map(({ name }) => [largestRows.get(name) ?? 0, name]),
    svodka_ready: () => gauges.checks().map(({ name, ok }) => [Number(ok), name]),
  }
}
