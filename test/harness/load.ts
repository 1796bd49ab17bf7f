// Load of a scenario, and what its records amount to.
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../src/demo/processes.ts'
import type { Gateway } from './gateway.ts'
import type { Asked, Recorded } from './recorder.ts'

/** What nobody has asked before: `cold()` in one scenario is never that of another's gateway twice. */
let lastCold = 0
export function cold(): number {
  return (lastCold += 1) % 25_000
}

/** What the oracle looks at: a run, or what is kept of one. */
export function entriesAnew(at: number): Asked {
  return { report: 'entries', ...(at % 2 === 0 && { cold: cold() }) }
}

/** So many at a time, until `count` were asked. */
export async function askMany(
  gateway: Gateway,
  count: number,
  atOnce: number,
  make: (at: number) => Asked,
): Promise<Recorded[]> {
  const answers: Recorded[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) answers.push(await gateway.ask(make(next++)))
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return answers
}

export interface Load {
  /** Ends it. @returns all answers, once they are in. */
  stop(): Promise<Recorded[]>
}

/** Asks at a steady rate, however long answers take. */
export function startLoad(gateway: Gateway, perSecond: number, make: (at: number) => Asked): Load {
  const asked: Promise<Recorded>[] = []
  const startedAt = performance.now()
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    while (asked.length < due) asked.push(gateway.ask(make(asked.length)))
  }, 5)
  return {
    stop() {
      clearInterval(timer)
      return Promise.all(asked)
    },
  }
}

export async function loadFor(
  gateway: Gateway,
  seconds: number,
  perSecond: number,
  make: (at: number) => Asked,
): Promise<Recorded[]> {
  const load = startLoad(gateway, perSecond, make)
  await sleep(seconds * 1000)
  return load.stop()
}

/** Asks again until it is answered with 200. @returns ms since `since`; Infinity after `withinMs`. */
export async function firstFresh(
  gateway: Gateway,
  since: number,
  withinMs = 10_000,
): Promise<number> {
  const fresh = async (): Promise<boolean> =>
    (await gateway.ask({ report: 'ledger', cold: cold() })).status === 200
  const happened = await eventually(fresh, withinMs, 10)
  return happened ? performance.now() - since : Number.POSITIVE_INFINITY
}

export function msOf(records: readonly Recorded[]): number[] {
  return records.map(({ ms }) => ms)
}

export function count<T>(values: readonly T[], is: (value: T) => boolean): number {
  return values.filter(is).length
}

/** Of a hundred; of none it is not a number. */
export function percent<T>(values: readonly T[], is: (value: T) => boolean): number {
  return (100 * count(values, is)) / values.length
}

export function isOk({ status }: Recorded): boolean {
  return status === 200
}

/** Served from what is kept, and said to be old. */
export function isMarkedStale({ status, headers }: Recorded): boolean {
  return (
    status === 200 &&
    String(headers['cache-status']).includes('stale') &&
    Number(headers['age']) >= 0 &&
    headers['data-as-of'] !== undefined
  )
}

/** Keeps the report of every organization. */
export async function warm(gateway: Gateway, report: string): Promise<void> {
  await askMany(gateway, 20, 8, at => ({ report, organization: at + 1 }))
  // why: what is fresh would be served whatever happens
  await sleep(350)
}
