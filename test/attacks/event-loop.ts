// How long a process's main thread held a processor, which is what a request can hold the event loop for.
import { existsSync, readFileSync } from 'node:fs'
import { atMost } from '../harness/figures.ts'
import type { Figure } from '../harness/figures.ts'
import { Missing } from '../harness/scenario.ts'

const HELD_AT_MOST_MS = 10

/**
 * CPU time of the main thread since its start, in ms, exact to microseconds. Other processes do not count, however
 * busy the machine is. @throws Missing where there is no Linux. @see https://docs.kernel.org/scheduler/sched-stats.html
 */
function mainThreadMs(pid: number): number {
  const file = `/proc/${pid}/schedstat`
  if (!existsSync(file)) throw new Missing('/proc/PID/schedstat tells the time of a thread')
  return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6
}

export interface Holds {
  /** What one request costs: the least of three, since a collection of garbage or a probe may fall into one. */
  during(what: string, request: () => Promise<unknown>): Promise<void>
  /** The longest of all, and which it was. */
  figure(): Figure
}

export function createHolds(pid: number): Holds {
  let longest = { ms: 0, what: 'none' }
  return {
    async during(what, request) {
      let ms = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < 3 && ms > HELD_AT_MOST_MS / 2; attempt += 1) {
        const before = mainThreadMs(pid)
        await request()
        ms = Math.min(ms, mainThreadMs(pid) - before)
      }
      if (ms > longest.ms) longest = { ms, what }
    },
    figure: () => atMost('longest hold', longest.ms, HELD_AT_MOST_MS, 'ms', longest.what),
  }
}
