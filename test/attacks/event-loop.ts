// How long a process's main thread held a processor, which is what a request can hold the event loop for.
import { existsSync, readFileSync } from 'node:fs'
import { Missing } from '../harness/scenario.ts'

/**
 * CPU time of the main thread since its start, in ms, exact to microseconds. Other processes do not count, however
 * busy the machine is. @throws Missing where there is no Linux. @see https://docs.kernel.org/scheduler/sched-stats.html
 */
export function mainThreadMs(pid: number): number {
  const file = `/proc/${pid}/schedstat`
  if (!existsSync(file)) throw new Missing('/proc/PID/schedstat tells the time of a thread')
  return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6
}

export const HELD_AT_MOST_MS = 10

/** What one request costs: the least of three, since a collection of garbage or a probe may fall into one. */
export async function heldMs(pid: number, request: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 3 && least > HELD_AT_MOST_MS / 2; attempt += 1) {
    const before = mainThreadMs(pid)
    await request()
    least = Math.min(least, mainThreadMs(pid) - before)
  }
  return least
}
