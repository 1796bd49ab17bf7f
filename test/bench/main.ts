/**
 * `make bench`: seeds a separate product database, measures group by group, prints one table and writes it as JSON.
 * BENCH_QUICK=1 is short; ONLY=hits selects a group, ONLY=memory one measurement; BENCH_JSON=path names the JSON file.
 * For development: BENCH_DATA=folder stores the data there for the next run, BENCH_SCALE=0.1 makes fewer rows.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { valueOf } from '../../src/demo/connection.ts'
import { startWatchdog } from '../../src/demo/watchdog.ts'
import type { Bench } from './bench.ts'
import type { Closers } from '../harness/closers.ts'
import { benchFolder, runToEnd } from '../harness/run-to-end.ts'
import { collect } from './collect.ts'
import { busyCores } from './machine.ts'
import { measurementsOf } from './measurements.ts'
import { startProduct } from './product.ts'
import { exitCodeOf, tableOf, verdictOf } from './table.ts'

const { BENCH_DATA, BENCH_JSON, BENCH_QUICK, BENCH_SCALE, ONLY } = process.env
const quick = BENCH_QUICK === '1'
const startedAt = performance.now()

function progress(words: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  process.stderr.write(`${seconds.padStart(4)} s  ${words}\n`)
}

async function measure(closers: Closers, signal: AbortSignal): Promise<number> {
  const onEnd: Bench['onEnd'] = close => closers.onEnd(close)
  const measurements = measurementsOf(quick, ONLY)
  const busyCoresBefore = await busyCores()
  const folder = benchFolder(closers)
  progress('starting a primary and its hot standby, and seeding them')
  const data = BENCH_DATA || join(folder, 'cluster')
  const seeding = { data, folder, say: progress, signal, scale: Number(BENCH_SCALE || 1) }
  const product = await startProduct(seeding, cluster => {
    if (!BENCH_DATA) onEnd(() => rmSync(cluster.folder, { recursive: true, force: true }))
    onEnd(() => cluster.stop())
  })
  const watchdog = startWatchdog()
  onEnd(() => watchdog.end())
  const seen = { quick, product, busyCoresBefore, folder }
  const rows = await collect(measurements, { ...seen, watchdog, signal, progress, onEnd })
  const postgres = await valueOf(product.urls.replica, 'show server_version')
  const machine = `${cpus().length} cores (${cpus()[0]?.model}; ${busyCoresBefore} busy before), node ${process.version}, PostgreSQL ${postgres}`
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const path = BENCH_JSON || '.bench/bench.json'
  const judged = rows.map(row => ({ ...row, verdict: verdictOf(row) }))
  const said = { at: new Date(), quick, seconds, machine, rows: judged }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(said, null, 2)}\n`)
  process.stdout.write(`${[`${machine}; ${seconds} s`, '', ...tableOf(rows)].join('\n')}\n`)
  return exitCodeOf(rows)
}

await runToEnd(measure)
