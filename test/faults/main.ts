/**
 * `make faults`: starts a product's primary and two standbys, hurts them scenario by scenario, and prints one table.
 * ONLY=promotion, ONLY=F12 or ONLY=restarts runs some; FAULTS_LOG=1 shows what gateways log. Exit codes: 0 all is reached, 1 one falls short, 3 the bench
 * could not be set up.
 */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listenForInterrupts } from '../../src/demo/interrupts.ts'
import { startWatchdog } from '../../src/demo/watchdog.ts'
import { createClosers } from '../bench/closers.ts'
import type { Closers } from '../bench/closers.ts'
import { scenariosNamed } from './groups.ts'
import { cpuPressure } from '../harness/pressure.ts'
import { runScenario } from '../harness/run-scenario.ts'
import { verdictOf } from '../harness/scenario.ts'
import type { Outcome } from '../harness/scenario.ts'
import { startServers } from '../harness/servers.ts'
import { tableOf } from '../harness/table.ts'

const { FAULTS_LOG, ONLY } = process.env
const startedAt = performance.now()
const secondsSince = (at: number): string => ((performance.now() - at) / 1000).toFixed(1)

async function runAll(closers: Closers, signal: AbortSignal): Promise<number> {
  const chosen = scenariosNamed(ONLY)
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'svodka-faults-'))
  // PostgreSQL may run as another user, who must get through.
  chmodSync(folder, 0o711)
  closers.onEnd(() => rmSync(folder, { recursive: true, force: true }))
  const watchdog = startWatchdog()
  closers.onEnd(() => watchdog.end())
  const servers = await startServers({ folder, watchdog, signal })
  closers.onEnd(() => servers.stop())
  const outcomes: Outcome[] = []
  for (const { group, scenario } of chosen) {
    signal.throwIfAborted()
    const pressure = await cpuPressure()
    const ran = await runScenario(
      group,
      scenario,
      { servers, folder, watchdog },
      {
        ...(FAULTS_LOG && { log: text => void process.stderr.write(text) }),
      },
    )
    const outcome = { ...ran, ...(pressure !== undefined && { pressure }) }
    outcomes.push(outcome)
    process.stderr.write(
      `${secondsSince(startedAt).padStart(6)} s  ${scenario.fault} ${scenario.name}: ${verdictOf(outcome)} (${outcome.seconds.toFixed(1)} s)\n`,
    )
  }
  process.stdout.write(`${tableOf(outcomes).join('\n')}\n${secondsSince(startedAt)} s\n`)
  return outcomes.some(outcome => verdictOf(outcome) === 'FALLS SHORT') ? 1 : 0
}

const interrupts = listenForInterrupts()
const closers = createClosers()
interrupts.again.addEventListener('abort', () => process.exit(130))
try {
  process.exitCode = await runAll(closers, interrupts.first)
} catch (error) {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  process.exitCode = interrupts.first.aborted ? 130 : 3
} finally {
  for (const error of await closers.closeAll()) process.stderr.write(`${String(error)}\n`)
  interrupts.close()
}
// why: what a scenario that broke off has left waiting must not keep the bench from ending
process.exit()
