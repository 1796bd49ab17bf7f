// Metrics of a gateway that has no requests in flight.
import { expect } from 'chai'
import { scrape, sumOf, type Sample } from './exposition.ts'
import { until } from './until.ts'

/** Each is 0 at rest. The probe pool is not among them, since it works from time to time. */
const GAUGES = [
  ['svodka_http_requests_in_flight', {}],
  ['svodka_admission_queue_length', {}],
  ['svodka_db_pool_connections', { pool: 'reports', state: 'in_use' }],
  ['svodka_db_pool_connections', { pool: 'keys', state: 'in_use' }],
  ['svodka_db_pool_waiters', { pool: 'reports' }],
  ['svodka_db_pool_waiters', { pool: 'keys' }],
  ['svodka_spool_bytes', {}],
  ['svodka_http_unread_bytes', {}],
] as const

/** Idle connections of the test's client may open and close. */
const IDLE_CONNECTIONS = 3

/** Does not count database connections, since a pool may open more. */
export function openFileCount(samples: readonly Sample[]): number {
  return sumOf(samples, 'process_open_fds') - sumOf(samples, 'svodka_db_pool_connections')
}

/**
 * Waits until the gateway is at rest.
 * @param openFiles `openFileCount` at rest before @param after event named in the message @returns the figures
 */
export async function expectAtRest(
  opsUrl: string,
  openFiles: number,
  after = '',
): Promise<Sample[]> {
  let samples: Sample[] = []
  const left = (): Record<string, number> =>
    Object.fromEntries(
      [
        ...GAUGES.map(([name, labels]) => {
          return [[name, ...Object.values(labels)].join(' '), sumOf(samples, name, labels)] as const
        }),
        ['open files', Math.max(openFileCount(samples) - openFiles - IDLE_CONNECTIONS, 0)] as const,
      ].filter(([, value]) => value !== 0),
    )
  await until(async () => {
    samples = await scrape(opsUrl)
    return Object.keys(left()).length === 0
  }).catch(() => undefined)
  expect(left(), `left after ${after}`).to.deep.equal({})
  return samples
}
