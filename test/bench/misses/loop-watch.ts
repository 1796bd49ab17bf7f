// Loaded into a gateway's process with --import: how long its event loop stood still. `SIGUSR2` writes the longest
// stall since the one before as JSON, `Stall`, to the file `LOOP_WATCH_FILE`, and begins anew.
import { renameSync, writeFileSync } from 'node:fs'

export interface Stall {
  /** Between two turns of a timer that wants one a millisecond, less that millisecond. */
  readonly ms: number
  /** What of it the process itself was computing; the rest it waited for a core. */
  readonly ownMs: number
}

const TURN_MS = 1
const file = process.env['LOOP_WATCH_FILE'] ?? ''
const ownNow = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let longest: Stall = { ms: 0, ownMs: 0 }
let last = performance.now()
let lastOwn = ownNow()

setInterval(() => {
  const now = performance.now()
  const own = ownNow()
  const ms = now - last - TURN_MS
  if (ms > longest.ms) longest = { ms, ownMs: own - lastOwn }
  last = now
  lastOwn = own
}, TURN_MS).unref()

process.on('SIGUSR2', () => {
  // why: whoever waits for the file must not read half of it
  writeFileSync(`${file}.new`, JSON.stringify(longest))
  renameSync(`${file}.new`, file)
  longest = { ms: 0, ownMs: 0 }
})
