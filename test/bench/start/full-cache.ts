// A gateway whose cache is full: what it has in memory beside what it counts.
import { setTimeout as sleep } from 'node:timers/promises'
import { askAll } from '../ask.ts'
import type { Bench } from '../bench.ts'
import { PREFIX, startGateway } from '../gateway.ts'
import type { LoadRequest } from '../wrk.ts'

const MEBIBYTE = 2 ** 20
const CACHE_BYTES = 64 * MEBIBYTE
/** A cache that is full is at its limit but for less than one body. */
const FULL = 0.98
const SETTLED_MS = 2_000

export interface Memory {
  readonly idleMiB: number
  readonly fullMiB: number
  /** By the gateway's own gauge. */
  readonly keptMiB: number
  readonly requestCount: number
}

/** @throws Error if the cache does not fill. */
export async function memoryOf(bench: Bench): Promise<Memory> {
  const gateway = await startGateway(bench, { CACHE_MAX_BYTES: `${CACHE_BYTES}` })
  await sleep(SETTLED_MS)
  const idle = gateway.memoryBytes()
  let requestCount = 0
  let kept = 0
  for (const requests of byPeriod(bench)) {
    bench.signal.throwIfAborted()
    const answers = await askAll(gateway.url, requests)
    const other = answers.find(({ status }) => status !== 200)
    if (other !== undefined) throw new Error(`filling the cache: ${other.body.toString()}`)
    requestCount += answers.length
    kept = await gateway.metric('svodka_cache_bytes')
    if (kept >= FULL * CACHE_BYTES) break
  }
  if (kept < FULL * CACHE_BYTES) throw new Error(`the cache holds ${kept} bytes, and no more come`)
  await sleep(SETTLED_MS)
  const full = gateway.memoryBytes()
  await gateway.stop()
  return {
    idleMiB: idle / MEBIBYTE,
    fullMiB: full / MEBIBYTE,
    keptMiB: kept / MEBIBYTE,
    requestCount,
  }
}

/** All ordinary organizations' stock, about 48 KB each, at the end of one month after the other. */
function* byPeriod({ product }: Bench): Generator<readonly LoadRequest[]> {
  const year = new Date().getFullYear()
  for (let monthsBack = 1; monthsBack <= 24; monthsBack++) {
    const start = new Date(Date.UTC(year, -monthsBack, 1)).toISOString().slice(0, 10)
    const end = new Date(Date.UTC(year, 1 - monthsBack, 0)).toISOString().slice(0, 10)
    yield product.ordinary.map(({ keys: [key = ''] }) => ({
      path: `${PREFIX}/reports/stock_balance?from=${start}&to=${end}`,
      headers: { 'X-Api-Key': key },
    }))
  }
}
