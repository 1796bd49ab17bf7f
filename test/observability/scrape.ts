/** Metrics of a small catalog, and what a scrape of them shows. */
import type { Gauges } from '../../src/gauges.ts'
import { POOLS } from '../../src/observation.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import type { Metrics } from '../../src/observability/metrics.ts'

const gauges: Gauges = {
  cache: () => ({ byteCount: 1000, maxBytes: 4000, entryCount: 3, aliasByteCount: 500 }),
  pools: () =>
    POOLS.map(pool => ({ pool, replica: 'one:5432', inUse: 2, idle: 1, waiting: 4, max: 8 })),
  replicas: ['one:5432'],
  keyDatabases: () => [
    {
      replica: 'one:5432',
      isReached: true,
      lagSeconds: 2.5,
      counts: true,
      refusal: undefined,
      checkFailure: undefined,
    },
    {
      replica: 'two:5432',
      isReached: false,
      lagSeconds: undefined,
      counts: false,
      refusal: undefined,
      checkFailure: undefined,
    },
  ],
  inFlight: () => 5,
  queueLength: () => 5,
  invalidAccessRowCount: () => 3,
  unread: () => ({ spooledBytes: 7000, heldBytes: 300 }),
}

export function create(overrides: Partial<Parameters<typeof createMetrics>[0]> = {}): Metrics {
  return createMetrics({
    catalogNames: {
      reports: ['profit_loss', 'cash_flow'],
      definitions: ['profit_loss', 'cash_flow', 'metrics/finance'],
    },
    gauges,
    buildInfo: { version: '1.2.3' },
    now: () => 1_700_000_000_000,
    ...overrides,
  })
}

/** Series, as in `svodka_draining` or `svodka_problems_total{code="x"}`, to value. */
export async function read(metrics: Metrics): Promise<Map<string, number>> {
  const { text } = await metrics.exposition()
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => {
      const end = line.lastIndexOf(' ')
      const value = line.slice(end + 1)
      return [line.slice(0, end), value === 'Nan' ? Number.NaN : Number(value)]
    }),
  )
}
