// What large exports, back to back, do to everyone else in the same process: hits beside them, and stalls of the loop.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { until } from '../../support/until.ts'
import { askAll, checkHits } from '../ask.ts'
import type { Bench, Row } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import type { Gateway } from '../gateway.ts'
import { interleaved } from '../rounds.ts'
import { plainRow, ratioRow } from '../rows.ts'
import { median } from '../statistics.ts'
import { closedYear, requestOf, subjectOf } from '../subject.ts'
import { figuresOf, loadOf } from '../wrk.ts'
import type { Round } from '../wrk.ts'

const WATCH = fileURLToPath(new URL('./loop-watch.js', import.meta.url))
const SECONDS = 3
/** The first export has begun by then. */
const HEAD_START_MS = 200
const STALL_ROUNDS = 5

export async function exports(bench: Bench): Promise<Row[]> {
  const file = join(bench.folder, 'stall.json')
  const gateway = await startGateway(bench, {
    NODE_OPTIONS: `--import=${pathToFileURL(WATCH).href}`,
    LOOP_WATCH_FILE: file,
  })
  const subject = subjectOf(bench.product.named['two hundred thousand'], 'operations')
  const large = { requests: [subject.fresh], connections: 1 }
  // A second more, so that the hits end first.
  const exported = loadOf(bench, gateway, { ...large, seconds: SECONDS + 1 })
  const rows = [
    await hitsBeside(bench, gateway, exported),
    await stallRow(bench, exported, () => longestStallMs(gateway.pid, file)),
  ]
  await gateway.stop()
  return rows
}

async function hitsBeside(
  bench: Bench,
  gateway: Gateway,
  exported: () => Promise<Round>,
): Promise<Row> {
  const { ordinary, named } = bench.product
  const path = closedYear('income_by_category')
  const organizations = [...ordinary, ...Object.values(named)]
  const requests = organizations.flatMap(({ keys }) => keys.map(key => requestOf(path, key)))
  await askAll(gateway.url, requests)
  checkHits(await askAll(gateway.url, requests))
  const hits = loadOf(bench, gateway, { requests, seconds: SECONDS, connections: 16 })
  const exportsPerSecond: number[] = []
  const { alone, beside } = await interleaved(bench, 'hits beside exports', 4, {
    alone: hits,
    async beside() {
      const measuring = sleep(HEAD_START_MS).then(hits)
      const [measured, { requestsPerSecond }] = await Promise.all([measuring, exported()])
      exportsPerSecond.push(requestsPerSecond)
      return measured
    },
  })
  const perSecond = (rounds: readonly Round[]): number[] =>
    rounds.map(({ requestsPerSecond }) => requestsPerSecond)
  return ratioRow({
    name: 'hits while exports of 200,000 rows run back to back, against none',
    rounds: perSecond(beside),
    baseline: { name: 'hits alone', rounds: perSecond(alone) },
    target: { atLeast: 0.2 },
    figures: {
      ...figuresOf('hits alone', alone),
      ...figuresOf('hits beside exports', beside),
      'exports a second': median(exportsPerSecond),
    },
  })
}

async function stallRow(
  bench: Bench,
  exported: () => Promise<Round>,
  longestMs: () => Promise<number>,
): Promise<Row> {
  bench.progress('stall of the event loop in exports')
  const ms: number[] = []
  for (let round = 0; round < STALL_ROUNDS; round++) {
    await longestMs()
    await exported()
    ms.push(await longestMs())
  }
  return plainRow(bench, {
    name: 'longest stall of the event loop while exports of 200,000 rows run back to back',
    value: Math.max(...ms),
    unit: 'ms',
    spread: [Math.min(...ms), Math.max(...ms)],
    target: { atMost: 25 },
    note: `a timer of a millisecond inside of the process; the worst of ${STALL_ROUNDS} rounds is judged`,
  })
}

/** Since it was asked last. */
async function longestStallMs(pid: number, file: string): Promise<number> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  await until(() => existsSync(file))
  return Number(readFileSync(file, 'utf8'))
}
