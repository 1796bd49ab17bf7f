// Whether others want the machine: figures in ms prove nothing where they do. Linux tells, other systems do not.
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const FILE = '/proc/pressure/cpu'
const LOOK_MS = 500

/** Of the time, in %, somebody waited for a processor. @returns undefined where nobody tells. */
export async function cpuPressure(): Promise<number | undefined> {
  if (!existsSync(FILE)) return undefined
  const before = waitedMs()
  const from = performance.now()
  await sleep(LOOK_MS)
  return Math.round((100 * (waitedMs() - before)) / (performance.now() - from))
}

function waitedMs(): number {
  const [, microseconds] = /^some .*total=(\d+)/m.exec(readFileSync(FILE, 'utf8')) ?? []
  return Number(microseconds) / 1000
}
