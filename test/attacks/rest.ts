// What the gateway must come back to once an attack is over.
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../src/demo/processes.ts'
import { sumOf } from '../harness/exposition.ts'
import type { Gateway } from '../harness/gateway.ts'
import type { Figure } from '../harness/scenario.ts'

const REST_WITHIN_MS = 10_000

export async function inFlight(gateway: Gateway): Promise<number> {
  return sumOf(await gateway.metrics(), 'svodka_http_requests_in_flight')
}

/** Requests in flight, errors that nothing caught, and 500s: all 0. */
export async function atRest(gateway: Gateway): Promise<Figure[]> {
  await eventually(async () => (await inFlight(gateway)) === 0, REST_WITHIN_MS)
  const samples = await gateway.metrics()
  const errors = sumOf(samples, 'svodka_process_errors_total')
  const defects = sumOf(samples, 'svodka_http_requests_total', { status: '500' })
  return [
    {
      name: 'in flight at the end',
      value: sumOf(samples, 'svodka_http_requests_in_flight'),
      exactly: 0,
    },
    { name: 'uncaught errors', value: errors, exactly: 0 },
    { name: 'responses 500', value: defects, exactly: 0 },
  ]
}

/** The least used heap of several scrapes, in MiB: what a collection leaves, give or take. */
async function usedHeapMiB(gateway: Gateway): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let scrape = 0; scrape < 20; scrape += 1) {
    const samples = await gateway.metrics()
    least = Math.min(least, sumOf(samples, 'nodejs_heap_size_used_bytes') / 2 ** 20)
    await sleep(50)
  }
  return least
}

/** @returns a figure of how much more is used after the work than before; none in a quick part, which proves nothing. */
export async function heapGrowth(
  gateway: Gateway,
  options: { readonly isQuick: boolean; readonly atMostMiB: number },
  work: () => Promise<unknown>,
): Promise<Figure[]> {
  if (options.isQuick) {
    await work()
    return []
  }
  const before = await usedHeapMiB(gateway)
  await work()
  const value = (await usedHeapMiB(gateway)) - before
  return [{ name: 'used heap grown', value, unit: 'MiB', atMost: options.atMostMiB }]
}
