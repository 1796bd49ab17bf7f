/**
 * `make bench`: seeds a separate product database, measures group by group, prints one table and writes it as JSON.
 * BENCH_QUICK=1 is short; ONLY=hits selects groups; BENCH_JSON=path names the JSON file. BENCH_GATEWAY adds gateways of
 * other checkouts, or with other flags of node. BENCH_DATA=folder stores the data there for the next run.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startCluster } from '../../src/demo/cluster.ts'
import { valueOf } from '../../src/demo/connection.ts'
import { seedDemo } from '../../src/demo/seed.ts'
import { startWatchdog } from '../../src/demo/watchdog.ts'
import type { Closers } from '../harness/closers.ts'
import { benchFolder, runToEnd } from '../harness/run-to-end.ts'
import { EFFORTS } from './bench.ts'
import { gatewaysOf } from './gateway.ts'
import { groupsNamed, rowsOf } from './groups.ts'
import { addKeys, productOf } from './product.ts'
import { exitCodeOf, tableOf, verdictOf } from './table.ts'

const PRODUCT = fileURLToPath(new URL('../../../sql/product', import.meta.url))
/** The large organization has 230,000 operations. */
const SCALE = 1.5
/** Data in memory, and no work of PostgreSQL's own during a measurement. */
const SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '32GB',
  checkpoint_timeout: '1h',
  synchronous_commit: 'off',
  autovacuum: 'off',
}

const { BENCH_DATA, BENCH_GATEWAY, BENCH_JSON, BENCH_QUICK, ONLY = '' } = process.env
const startedAt = performance.now()
const secondsSoFar = (): number => Math.round((performance.now() - startedAt) / 1000)
const progress = (words: string): void =>
  void process.stderr.write(`${String(secondsSoFar()).padStart(4)} s  ${words}\n`)

async function measure(closers: Closers, signal: AbortSignal): Promise<number> {
  const onEnd = (close: () => Promise<void> | void): void => closers.onEnd(close)
  const groups = groupsNamed(ONLY)
  const gateways = gatewaysOf(BENCH_GATEWAY)
  const busyCoresBefore = await busyCores()
  const folder = benchFolder(closers)
  progress('starting a primary and its hot standby, and seeding them')
  const directory = BENCH_DATA || join(folder, 'cluster')
  const options = { directory, database: 'svodka_bench', settings: SETTINGS, signal }
  const cluster = await startCluster(options)
  if (!BENCH_DATA) onEnd(() => rmSync(cluster.folder, { recursive: true, force: true }))
  onEnd(() => cluster.stop())
  await seedDemo(cluster, { directory: PRODUCT, scale: SCALE, say: progress, signal })
  await addKeys(cluster)
  const product = await productOf(cluster)
  const watchdog = startWatchdog()
  onEnd(() => watchdog.end())
  const effort = BENCH_QUICK === '1' ? EFFORTS.quick : EFFORTS.full
  const seen = { effort, gateways, product, busyCoresBefore, folder }
  const bench = { ...seen, watchdog, signal, progress, onEnd }
  const rows = []
  for (const group of groups) rows.push(...(await rowsOf(group, bench)))
  const postgres = await valueOf(product.urls.replica, 'show server_version')
  const machine = `${cpus().length} cores (${cpus()[0]?.model}; ${busyCoresBefore} busy before), node ${process.version}, PostgreSQL ${postgres}`
  const judged = rows.map(row => ({ ...row, verdict: verdictOf(row) }))
  const said = { at: new Date(), seconds: secondsSoFar(), machine, rows: judged }
  const path = BENCH_JSON || '.bench/bench.json'
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(said, null, 2)}\n`)
  process.stdout.write(`${[`${machine}; ${said.seconds} s`, '', ...tableOf(rows)].join('\n')}\n`)
  return exitCodeOf(rows)
}

/** @returns how many cores other processes use, measured for a second. */
async function busyCores(): Promise<number> {
  const busyMs = (): number =>
    cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
  const before = busyMs()
  const from = performance.now()
  await sleep(1000)
  return Number(((busyMs() - before) / (performance.now() - from)).toFixed(2))
}

await runToEnd(measure)
