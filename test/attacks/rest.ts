// What the gateway must come back to once an attack is over.
import { sumOf } from '../harness/exposition.ts'
import { exactly } from '../harness/figures.ts'
import type { Figure } from '../harness/figures.ts'
import type { Gateway } from '../harness/gateway.ts'

/** Requests in flight, errors that nothing caught, and 500s: all 0. */
export async function atRest(gateway: Gateway): Promise<Figure[]> {
  await gateway.inFlight(0)
  const samples = await gateway.metrics()
  const defects = sumOf(samples, 'svodka_http_requests_total', { status: '500' })
  return [
    exactly('in flight at the end', sumOf(samples, 'svodka_http_requests_in_flight'), 0),
    exactly('uncaught errors', sumOf(samples, 'svodka_process_errors_total'), 0),
    exactly('responses 500', defects, 0),
  ]
}
