// What the gateway must come back to once an attack is over.
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
