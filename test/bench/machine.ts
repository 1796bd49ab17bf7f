// Load of the machine by other processes.
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** @returns how many cores other processes use, measured for a second. */
export async function busyCores(): Promise<number> {
  const before = busyMs()
  const startedAt = performance.now()
  await sleep(1000)
  return Number(((busyMs() - before) / (performance.now() - startedAt)).toFixed(2))
}

/** Times of all cores together, since the machine's start. */
function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}
