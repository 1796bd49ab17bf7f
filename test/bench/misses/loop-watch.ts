// Loaded into a gateway's process with --import. SIGUSR2 writes the longest stall of its event loop since the one before,
// in milliseconds, to the file `LOOP_WATCH_FILE`.
import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const TURN_MS = 1
const file = process.env['LOOP_WATCH_FILE'] ?? ''
const turns = monitorEventLoopDelay({ resolution: TURN_MS })
turns.enable()

process.on('SIGUSR2', () => {
  // why: whoever waits for the file must not read half of it
  writeFileSync(`${file}.new`, String(turns.max / 1e6 - TURN_MS))
  renameSync(`${file}.new`, file)
  turns.reset()
})
