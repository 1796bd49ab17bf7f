/** The metric table as metrics of prom-client. Some gauges are read at a scrape: from memory, at once. */
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Gauges, KeyDatabaseSeen } from '../../model/gauges.ts'
import { METRIC_TABLE } from './metric-table.ts'
import type { GaugeName, LabelOf, MetricName, MetricSpec } from './metric-table.ts'

export type Instrument = Counter | Gauge | Histogram

type InstrumentOf<Name extends MetricName> = {
  counter: Counter<LabelOf<Name>>
  gauge: Gauge<LabelOf<Name>>
  histogram: Histogram<LabelOf<Name>>
}[(typeof METRIC_TABLE)[Name]['kind']]

export type Instruments = { readonly [Name in MetricName]: InstrumentOf<Name> }

/** Registers all metrics of the table. */
export function createInstruments(registry: Registry, gauges: Gauges): Instruments {
  const specs: ReadonlyArray<readonly [string, MetricSpec]> = Object.entries(METRIC_TABLE)
  const instruments = specs.map(([name, spec]) => [
    name,
    createInstrument(registry, name as MetricName, spec, gauges),
  ])
  return Object.fromEntries(instruments) as Instruments
}

function createInstrument(
  registry: Registry,
  name: MetricName,
  { kind, help, labels, buckets = [] }: MetricSpec,
  gauges: Gauges,
): Instrument {
  const labelNames = Object.keys(labels)
  const options = { name, help: help.replaceAll('`', ''), labelNames, registers: [registry] }
  if (kind === 'counter') return new Counter(options)
  if (kind === 'histogram') return new Histogram({ ...options, buckets: [...buckets] })
  return new Gauge({
    ...options,
    collect() {
      readGauge(this, name, gauges)
    },
  })
}

/** A number is that of a gauge without labels. */
type Reading<Label extends string = string> =
  | number
  | ReadonlyArray<readonly [labels: Readonly<Record<Label, string>>, value: number]>

type Readings = { readonly [Name in GaugeName]?: (gauges: Gauges) => Reading<LabelOf<Name>> }

const READINGS: Readings = {
  svodka_http_requests_in_flight: gauges => gauges.inFlight(),
  svodka_http_unread_bytes: gauges => gauges.unread().heldBytes,
  svodka_spool_bytes: gauges => gauges.unread().spooledBytes,
  svodka_admission_queue_length: gauges => gauges.queueLength(),
  svodka_access_rows_invalid: gauges => gauges.invalidAccessRowCount(),
  svodka_cache_bytes: gauges => gauges.cache().byteCount,
  svodka_cache_max_bytes: gauges => gauges.cache().maxBytes,
  svodka_cache_entries: gauges => gauges.cache().entryCount,
  svodka_cache_alias_bytes: gauges => gauges.cache().aliasByteCount,
  svodka_db_pool_connections: gauges =>
    gauges.pools().flatMap(({ pool, replica, inUse, idle }) => [
      [{ pool, replica, state: 'in_use' }, inUse],
      [{ pool, replica, state: 'idle' }, idle],
    ]),
  svodka_db_pool_max_connections: gauges =>
    gauges.pools().map(({ pool, replica, max }) => [{ pool, replica }, max]),
  svodka_db_pool_waiters: gauges =>
    gauges.pools().map(({ pool, replica, waiting }) => [{ pool, replica }, waiting]),
  svodka_key_database_usable: ofKeyDatabases(({ counts }) => Number(counts ?? Number.NaN)),
  svodka_key_database_lag_seconds: ofKeyDatabases(({ lagSeconds = Number.NaN }) => lagSeconds),
  svodka_key_database_circuit_open: ofKeyDatabases(({ isReached }) => Number(!isReached)),
}

/** Sets the gauge if its value is read at a scrape. If that fails, it is unknown: no other metric fails with it. */
function readGauge(gauge: Gauge, name: MetricName, gauges: Gauges): void {
  const read: ((gauges: Gauges) => Reading) | undefined = READINGS[name as GaugeName]
  if (read === undefined) return
  gauge.reset()
  try {
    const reading = read(gauges)
    if (typeof reading === 'number') gauge.set(reading)
    else for (const [labels, value] of reading) gauge.set(labels, value)
  } catch {
    if (Object.keys(METRIC_TABLE[name].labels).length === 0) gauge.set(Number.NaN)
  }
}

function ofKeyDatabases(
  valueOf: (database: KeyDatabaseSeen) => number,
): (gauges: Gauges) => Reading<'replica'> {
  return gauges =>
    gauges.keyDatabases().map(database => [{ replica: database.replica }, valueOf(database)])
}
