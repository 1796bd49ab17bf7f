// Start time and memory of the gateway. Seconds and MiB depend on the machine, so the targets are about twice the
// figures of two idle cores: they detect growth.
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../src/demo/ports.ts'
import { ask, askAll } from '../ask.ts'
import type { Bench, Row } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import { memoryBytes } from '../../harness/process-figures.ts'
import { plainRow } from '../rows.ts'
import { startServer } from '../server-process.ts'
import { median } from '../statistics.ts'
import { closedYear, pathOf, requestOf, YEAR } from '../subject.ts'

const MEBIBYTE = 2 ** 20
const CACHE_BYTES = 64 * MEBIBYTE
/** A full cache is less than one body below its limit. */
const FULL_BYTES = 0.98 * CACHE_BYTES
const SETTLED_MS = 2_000
const FRESH_DEMO = fileURLToPath(new URL('./fresh-demo.js', import.meta.url))

export async function coldStart(bench: Bench): Promise<Row[]> {
  const seconds: number[] = []
  for (let round = 0; round < (bench.quick ? 3 : 7); round++) {
    const gateway = await startGateway(bench)
    seconds.push(gateway.readyAfterMs / 1000)
    await gateway.stop()
  }
  return [
    plainRow(bench, {
      name: 'process start to ready',
      value: median(seconds),
      unit: 's',
      spread: [Math.min(...seconds), Math.max(...seconds)],
      target: { atMost: 2 },
    }),
  ]
}

/** Memory when idle, and what a full cache adds, against the bytes that the gateway counts. */
export async function memory(bench: Bench): Promise<Row[]> {
  const gateway = await startGateway(bench, { CACHE_MAX_BYTES: `${CACHE_BYTES}` })
  await sleep(SETTLED_MS)
  const idle = memoryBytes(gateway.pid)
  let cached = 0
  for (let monthsBack = 1; cached < FULL_BYTES; monthsBack++) {
    if (monthsBack > 24) throw new Error(`the cache holds ${cached} bytes, and no more come`)
    bench.signal.throwIfAborted()
    const [from, to] = [dayOf(-monthsBack, 1), dayOf(1 - monthsBack, 0)]
    const path = pathOf('stock_balance', from, to)
    const requests = bench.product.ordinary.map(({ keys }) => requestOf(path, keys[0] ?? ''))
    await askAll(gateway.url, requests)
    cached = await gateway.metric(/^svodka_cache_bytes (\S+)$/gm)
  }
  await sleep(SETTLED_MS)
  const full = memoryBytes(gateway.pid)
  await gateway.stop()
  return [
    plainRow(bench, {
      name: 'memory idle',
      value: idle / MEBIBYTE,
      unit: 'MiB',
      target: { atMost: 200 },
    }),
    plainRow(bench, {
      name: 'memory that a full cache adds against what it counts',
      value: (full - idle) / cached,
      unit: 'x',
      target: { atMost: 2 },
      figures: { 'full, MiB': full / MEBIBYTE, 'cached by its own count, MiB': cached / MEBIBYTE },
    }),
  ]
}

function dayOf(month: number, day: number): string {
  return new Date(Date.UTC(YEAR, month, day)).toISOString().slice(0, 10)
}

/** Time from `make run` to the first report, in a fresh checkout that is already built. */
export async function demoStart(bench: Bench): Promise<Row[]> {
  const folder = join(bench.folder, 'fresh-demo')
  mkdirSync(folder)
  chmodSync(folder, 0o711)
  const opsPort = await freePort()
  const demo = await startServer(bench, {
    name: 'demo',
    command: [process.execPath, FRESH_DEMO, folder],
    env: { OPS_PORT: String(opsPort) },
    ready: `http://127.0.0.1:${opsPort}/readyz`,
    isPinned: false,
  })
  const readyAt = performance.now()
  await ask(demo.url, requestOf(closedYear('profit_loss'), 'sk_demo_business'))
  const seconds = (demo.readyAfterMs + performance.now() - readyAt) / 1000
  await demo.stop()
  return [
    plainRow(bench, {
      name: '`make run` to the first response, built, no data yet',
      value: seconds,
      unit: 's',
      target: { atMost: 60 },
    }),
  ]
}
