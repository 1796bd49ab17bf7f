// Requests of a load, and evaluation of its records. Pure, except for the counter of cold requests.
import { quantile } from './quantile.ts'
import type { Asked, Recorded } from './client.ts'

/** For requests that are not cached: a process repeats a period only after 25,000 of them. */
let lastCold = 0
export function cold(): number {
  return (lastCold += 1) % 25_000
}

/** Requests that each need an execution. */
export function fresh(report: string, organization = 1): () => Asked {
  return () => ({ report, organization, cold: cold() })
}

/** The same report of each organization in turn. */
export function ofEach(report: string): (at: number) => Asked {
  return at => ({ report, organization: 1 + (at % 20) })
}

/** Uncached requests of each organization in turn. */
export function freshOfEach(report: string): (at: number) => Asked {
  return at => ({ report, organization: 1 + (at % 20), cold: cold() })
}

/** Requests for the oracle of Data-As-Of: executions and cached responses in turn. */
export function entries(at: number): Asked {
  return { report: 'entries', ...(at % 2 === 0 && { cold: cold() }) }
}

/** One request of each of two loads in turn. */
export function mixed(even: (at: number) => Asked, odd: (at: number) => Asked) {
  return (at: number): Asked => (at % 2 === 0 ? even(at) : odd(at))
}

export function count<T>(values: readonly T[], is: (value: T) => boolean): number {
  return values.filter(is).length
}

export function isOk({ status }: Recorded): boolean {
  return status === 200
}

/** Whether the response is marked as stale. */
export function isMarkedStale({ status, headers }: Recorded): boolean {
  return (
    status === 200 &&
    String(headers['cache-status']).includes('stale') &&
    Number(headers['age']) >= 0 &&
    headers['data-as-of'] !== undefined
  )
}

export function hasCode(code: string): (record: Recorded) => boolean {
  return record => record.code === code
}

export function slowest(records: readonly Recorded[]): number {
  return Math.max(...records.map(({ ms }) => ms))
}

export function p99(records: readonly Recorded[]): number {
  return quantileMs(records, 0.99)
}

export function quantileMs(records: readonly Recorded[], part: number): number {
  return quantile(
    records.map(({ ms }) => ms),
    part,
  )
}
