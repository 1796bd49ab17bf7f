// How long the event loop stands still while a large export goes out.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Bench } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import type { Row } from '../row.ts'
import { median } from '../statistics.ts'
import { voidIfBusy } from '../void-rule.ts'
import { portOf, startAsker } from './ask.ts'
import type { Stall } from './loop-watch.ts'
import { subjectOf } from './subject.ts'

const WATCH = fileURLToPath(new URL('./loop-watch.js', import.meta.url))
const EXPORTS = 12
/** A watch that says nothing for so long is not there. */
const SAYS_WITHIN_MS = 5000

export async function stallRow(bench: Bench): Promise<Row> {
  const { product } = bench
  const file = join(bench.folder, 'stall.json')
  const gateway = await startGateway(bench, watchedBy(file))
  const { target, key } = subjectOf(product.named['two hundred thousand'], 'operations')
  const asked = { port: portOf(gateway), target, key }
  const asker = startAsker(bench)
  await asker.time(asked, 2)
  const stalls: Stall[] = []
  for (let done = 0; done < EXPORTS; done++) {
    bench.signal.throwIfAborted()
    await longestStall(gateway.pid, file)
    await asker.time(asked, 1)
    stalls.push(await longestStall(gateway.pid, file))
  }
  await gateway.stop()
  const ms = stalls.map(stall => stall.ms)
  const worst = Math.max(...ms)
  return {
    name: 'longest stall of the event loop in any of the exports of 200,000 rows',
    value: worst,
    unit: 'ms',
    spread: [Math.min(...ms), worst],
    target: { atMost: 25 },
    ...voidIfBusy(bench),
    figures: {
      exports: EXPORTS,
      'median of the longest, ms': median(ms),
      'median of the longest, own CPU ms': median(stalls.map(({ ownMs }) => ownMs)),
      'worst, ms': worst,
      'worst, own CPU ms': Math.max(...stalls.map(({ ownMs }) => ownMs)),
    },
    note: `a timer of a millisecond inside of the process; the worst of all ${EXPORTS} exports is judged, the spread is of the longest of each`,
  }
}

/** For a gateway whose event loop is watched: `longestStall` reads the file. */
export function watchedBy(file: string): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${pathToFileURL(WATCH).href}`,
    LOOP_WATCH_FILE: file,
  }
}

/** Since it was asked last. */
export async function longestStall(pid: number, file: string): Promise<Stall> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (let waitedMs = 0; !existsSync(file); waitedMs += 5) {
    if (waitedMs > SAYS_WITHIN_MS) throw new Error('the event loop is not being watched')
    await sleep(5)
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Stall
}
