// Whole downloads of large reports: by clients of several rates against pgbench, and a million rows in each format.
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { addDays } from '../../src/definitions/calendar.ts'
import { registerOf } from '../contract/register.ts'
import { memoryBytes, peakMemoryBytes, resetPeakMemory } from '../harness/process-figures.ts'
import type { Bench, Row } from './bench.ts'
import { rowsOfEach, withGateways } from './contenders.ts'
import { startGateway } from './gateway.ts'
import { pgbenchOf } from './pgbench.ts'
import { firstDayOf } from './product.ts'
import { FIRST_DAY, requestOf, type LoadRequest } from './requests.ts'
import { interleaved } from './rounds.ts'
import { plainRow, ratioRow } from './rows.ts'

const MANY = 200_000
const MILLION = 1_000_000
const SQL_DIR = fileURLToPath(new URL('../../../sql', import.meta.url))
const MEBIBYTE = 2 ** 20
const GZIP = { 'Accept-Encoding': 'gzip' }

/** Bytes a second. */
const RATES = { loopback: Number.POSITIVE_INFINITY, '1 Gbit/s': 125e6, '100 Mbit/s': 12.5e6 }
const FORMATS = ['json', 'ndjson', 'csv', 'csv?preset=excel', 'xlsx', 'parquet']

interface Download {
  readonly firstByteMs: number
  readonly ms: number
  readonly mebibytes: number
}

/** A cold download, since each is of another period. */
let days = 0
const nextDay = (): string => addDays(FIRST_DAY, (days += 1) % 3000)

export async function downloads(bench: Bench): Promise<Row[]> {
  return [...(await byRate(bench)), ...(await ofMillion(bench))]
}

async function byRate(bench: Bench): Promise<Row[]> {
  const { product } = bench
  const { large } = product
  const from = await firstDayOf(product, large, MANY)
  return withGateways(bench, async gateways => {
    const contenders: Record<string, () => Promise<{ readonly ms: number }>> = {
      pgbench: pgbenchOf(bench, large, from, 2),
    }
    const nameOf = (gateway: string, rate: string, coding: string) => `${gateway} ${rate}${coding}`
    const kinds = Object.keys(RATES).flatMap(rate => [
      [rate, ''] as const,
      [rate, ' with gzip'] as const,
    ])
    for (const { name, gateway } of gateways) {
      for (const [rate, coding] of kinds) {
        contenders[nameOf(name, rate, coding)] = () => {
          const asked = requestOf('operations', large.keys[0], from, nextDay())
          const headers = coding === '' ? asked.headers : { ...asked.headers, ...GZIP }
          return download(gateway.url, { ...asked, headers }, RATES[rate as keyof typeof RATES])
        }
      }
    }
    const rounds = await interleaved(bench, `download of ${MANY} rows`, contenders)
    return rowsOfEach(gateways, ({ name }) =>
      kinds.map(([rate, coding]) =>
        ratioRow(rounds, {
          name: `download of 200,000 rows at ${rate}${coding}: time against pgbench`,
          ours: nameOf(name, rate, coding),
          baseline: 'pgbench',
          of: ({ ms }) => ms,
          target: rate === 'loopback' && coding === '' ? { atMost: 1.2 } : undefined,
        }),
      ),
    )
  })
}

async function ofMillion(bench: Bench): Promise<Row[]> {
  const folder = join(bench.folder, 'million')
  mkdirSync(folder)
  cpSync(SQL_DIR, folder, { recursive: true })
  writeFileSync(join(folder, 'reports/finance/million.sql'), registerOf(MILLION))
  const gateway = await startGateway(bench, bench.gateways[0]!, { SQL_DIR: folder })
  const key = bench.product.large.keys[0]
  const pathOf = (report: string): string => {
    const query = `from=${FIRST_DAY}&to=${nextDay()}`
    return `/api/public/v1/reports/${report}${report.includes('?') ? '&' : '?'}${query}`
  }
  const get = (report: string) =>
    download(gateway.url, { path: pathOf(report), headers: { 'X-Api-Key': key } })
  for (let at = 0; at < 50; at += 1) await get('income_by_category')
  await sleep(1000)
  const idleMiB = memoryBytes(gateway.pid) / MEBIBYTE
  const rows: Row[] = []
  for (const format of FORMATS) {
    bench.progress(`a million rows: ${format}`)
    resetPeakMemory(gateway.pid)
    const { firstByteMs, ms, mebibytes } = await get(`million.${format}`)
    const overIdleMiB = peakMemoryBytes(gateway.pid) / MEBIBYTE - idleMiB
    rows.push(
      plainRow(bench, {
        name: `download of 1,000,000 rows as ${format}: memory over idle`,
        value: overIdleMiB,
        unit: 'MiB',
        target: { atMost: 30 },
        figures: {
          'first byte, ms': firstByteMs,
          'whole, ms': ms,
          'body, MiB': mebibytes,
          idleMiB,
        },
      }),
      plainRow(bench, {
        name: `download of 1,000,000 rows as ${format}: time`,
        value: ms / 1000,
        unit: 's',
      }),
    )
  }
  await gateway.stop()
  return rows
}

/** Reads a response at most at that rate. @throws Error unless it is 200 and complete */
async function download(
  url: string,
  { path, headers }: LoadRequest,
  bytesPerSecond = Number.POSITIVE_INFINITY,
): Promise<Download> {
  const startedAt = performance.now()
  const asked = request(`${url}${path}`, { headers, agent: false }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
  const firstByteMs = performance.now() - startedAt
  let byteCount = 0
  for await (const chunk of response) {
    byteCount += (chunk as Buffer).length
    const dueMs = firstByteMs + (byteCount / bytesPerSecond) * 1000
    const aheadMs = startedAt + dueMs - performance.now()
    if (aheadMs > 2) await sleep(aheadMs)
  }
  const ms = performance.now() - startedAt
  return { firstByteMs, ms, mebibytes: byteCount / MEBIBYTE }
}
