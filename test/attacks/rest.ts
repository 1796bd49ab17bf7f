// The state of the gateway after an attack.
import { sumOf } from '../harness/exposition.ts'
import { exactly, type Figure } from '../harness/figures.ts'
import type { Gateway } from '../harness/scenario-gateway.ts'

/** Requests in flight, uncaught errors, and 500s: all 0. */
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
