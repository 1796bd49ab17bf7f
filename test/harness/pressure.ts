// Load of the machine by other processes, which makes figures in ms meaningless. Only on Linux.
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const FILE = '/proc/pressure/cpu'
const LOOK_MS = 500

/** Share of time, in %, in which a process waited for a processor. @returns undefined if unknown. */
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
