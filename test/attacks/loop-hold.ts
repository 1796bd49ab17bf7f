// The longest hold of a gateway's event loop, measured in its process by the CPU time of its thread: other processes,
// which keep it waiting for a core, do not affect it.
import { openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stage } from '../harness/stage.ts'

const PERIOD_MS = 5
const { LOOP_HOLD_FILE: file } = process.env

/** Settings of a gateway that measures. */
export function withLoopHold({ folder }: Stage): Record<string, string> {
  const NODE_OPTIONS = `--import ${import.meta.url}`
  return { NODE_OPTIONS, LOOP_HOLD_FILE: join(folder, 'loop-hold') }
}

/** The longest time between two turns since it got `SIGWINCH`, at most `PERIOD_MS` too long. */
export function loopHoldMs({ folder }: Stage): number {
  return Number(readFileSync(join(folder, 'loop-hold'), 'utf8'))
}

if (file !== undefined) measure(file)

function measure(to: string): void {
  const stat = openSync('/proc/thread-self/schedstat', 'r')
  const bytes = Buffer.alloc(64)
  /** CPU time of this thread. @see proc(5), schedstat */
  const cpuMs = (): number => {
    const length = readSync(stat, bytes, 0, bytes.length, 0)
    return Number(bytes.toString('latin1', 0, length).split(' ')[0]) / 1e6
  }
  let last = cpuMs()
  let longestMs = 0
  process.on('SIGWINCH', () => (longestMs = 0))
  setInterval(() => {
    const now = cpuMs()
    if (now - last > longestMs) writeFileSync(to, String((longestMs = now - last)))
    last = now
  }, PERIOD_MS).unref()
}
