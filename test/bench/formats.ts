// A register of 1,000,000 rows in every format, with a concurrent slow reader and cache hits.
import { quantile } from '../harness/quantile.ts'
import { ask, download, readSlowly, settles } from './ask.ts'
import type { LoadRequest } from './ask.ts'
import type { Bench, Row } from './bench.ts'
import { startGateway } from './gateway.ts'
import { peakMemoryBytes } from '../harness/process-figures.ts'
import type { BenchName } from './product.ts'
import { plainRow } from './rows.ts'
import { median } from './statistics.ts'
import { closedYear, requestOf, subjectOf } from './subject.ts'

const MEBIBYTE = 2 ** 20
const SIPPED_BYTES_PER_SECOND = 8 * 1024

const FORMATS = [
  { name: 'JSON', suffix: '.json?' },
  { name: 'JSON, gzip', suffix: '.json?', coding: 'gzip' },
  { name: 'NDJSON', suffix: '.ndjson?' },
  { name: 'CSV', suffix: '.csv?' },
  { name: 'CSV for Excel', suffix: '.csv?preset=excel&' },
  { name: 'XLSX', suffix: '.xlsx?' },
  { name: 'Parquet', suffix: '.parquet?' },
] as const

export async function formats(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const format of FORMATS) {
    bench.signal.throwIfAborted()
    bench.progress(`1,000,000 rows as ${format.name}`)
    const fewer = await downloaded(bench, 'two hundred thousand', format)
    const { peakMiB, ...figures } = await downloaded(bench, 'million', format)
    rows.push(
      plainRow(bench, {
        name: `peak memory, 1,000,000 rows as ${format.name}, over that of 200,000`,
        value: peakMiB - fewer.peakMiB,
        unit: 'MiB',
        // If five times the rows need more than this, memory grows with the number of rows.
        target: { atMost: 16 },
        figures: { 'peak, MiB': peakMiB, ...figures },
      }),
    )
  }
  return rows
}

/** Starts a new gateway, so that its peak memory is that of this download, the slow reader and the hits. */
async function downloaded(bench: Bench, name: BenchName, format: (typeof FORMATS)[number]) {
  const { fresh, cached } = subjectOf(bench.product.named[name], 'operations')
  const coding = 'coding' in format ? { 'Accept-Encoding': format.coding } : {}
  const request = {
    path: fresh.path.replace('?', format.suffix),
    headers: { ...fresh.headers, ...coding },
  }
  const gateway = await startGateway(bench)
  const hit = requestOf(closedYear('income_by_category'), cached.headers['X-Api-Key'] ?? '')
  await ask(gateway.url, hit)
  const startedAt = performance.now()
  const end = download(gateway.url, request)
  const slow = readSlowly(gateway.url, request, SIPPED_BYTES_PER_SECOND, end)
  const [byteCount, seconds, hitMs] = await Promise.all([
    end,
    end.then(() => (performance.now() - startedAt) / 1000),
    hitsUntil(end, gateway.url, hit),
    slow,
  ])
  const peakMiB = peakMemoryBytes(gateway.pid) / MEBIBYTE
  await gateway.stop()
  return {
    peakMiB,
    'download, s': seconds,
    'download, MiB': byteCount / MEBIBYTE,
    'hits meanwhile': hitMs.length,
    'hits meanwhile, median ms': median(hitMs),
    'hits meanwhile, p99 ms': quantile(hitMs, 0.99),
  }
}

/** Sends hits one after the other until `end` settles. @returns the milliseconds of each. */
async function hitsUntil(end: Promise<unknown>, url: string, hit: LoadRequest): Promise<number[]> {
  const isOver = settles(end)
  const ms: number[] = []
  while (!isOver()) {
    const before = performance.now()
    await ask(url, hit)
    ms.push(performance.now() - before)
  }
  return ms
}
