// What a load asks, and what its records amount to. Pure but for what was asked before.
import { quantile } from './quantile.ts'
import type { Asked, Recorded } from './client.ts'

/** What nobody has asked before: `cold()` in one scenario is never that of another's gateway twice. */
let lastCold = 0
export function cold(): number {
  return (lastCold += 1) % 25_000
}

/** Always something new: an execution for each. */
export function fresh(report: string, organization = 1): () => Asked {
  return () => ({ report, organization, cold: cold() })
}

/** The same report of each organization in turn. */
export function ofEach(report: string): (at: number) => Asked {
  return at => ({ report, organization: 1 + (at % 20) })
}

/** Something new of each organization in turn. */
export function freshOfEach(report: string): (at: number) => Asked {
  return at => ({ report, organization: 1 + (at % 20), cold: cold() })
}

/** What the oracle of Data-As-Of checks: an execution, or what is cached of one, in turn. */
export function entries(at: number): Asked {
  return { report: 'entries', ...(at % 2 === 0 && { cold: cold() }) }
}

/** Of two loads, one request each in turn. */
export function mixed(even: (at: number) => Asked, odd: (at: number) => Asked) {
  return (at: number): Asked => (at % 2 === 0 ? even(at) : odd(at))
}

export function count<T>(values: readonly T[], is: (value: T) => boolean): number {
  return values.filter(is).length
}

export function isOk({ status }: Recorded): boolean {
  return status === 200
}

/** A response from the cache that says that it is old. */
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
