// A whole bench: its servers, the scenarios that ONLY selects one after the other, one table, and an exit code.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listenForInterrupts } from '../../src/demo/interrupts.ts'
import { startWatchdog } from '../../src/demo/watchdog.ts'
import { createClosers } from '../bench/closers.ts'
import type { Closers } from '../bench/closers.ts'
import { cpuPressure } from './pressure.ts'
import { runScenario } from './run-scenario.ts'
import { scenariosNamed, verdictOf } from './scenario.ts'
import type { Groups, Outcome } from './scenario.ts'
import { startServers } from './servers.ts'
import { tableOf } from './table.ts'

export interface Bench {
  readonly groups: Groups
  readonly only: string | undefined
  /** Prints what gateways log. */
  readonly isLogShown: boolean
}

/** Ends the process: 0 all is reached, 1 one falls short, 3 the bench could not be set up. */
export async function runBench(bench: Bench): Promise<never> {
  const interrupts = listenForInterrupts()
  const closers = createClosers()
  interrupts.again.addEventListener('abort', () => process.exit(130))
  try {
    process.exitCode = await runAll(bench, closers, interrupts.first)
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    process.exitCode = interrupts.first.aborted ? 130 : 3
  } finally {
    for (const error of await closers.closeAll()) say(String(error))
    interrupts.close()
  }
  // why: what a scenario that broke off has left waiting must not keep the bench from ending
  process.exit()
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

async function runAll(bench: Bench, closers: Closers, signal: AbortSignal): Promise<number> {
  const startedAt = performance.now()
  const seconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(1)
  const chosen = scenariosNamed(bench.groups, bench.only)
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'svodka-bench-'))
  // PostgreSQL may run as another user, who must get through.
  chmodSync(folder, 0o711)
  closers.onEnd(() => rmSync(folder, { recursive: true, force: true }))
  const watchdog = startWatchdog()
  closers.onEnd(() => watchdog.end())
  const servers = await startServers({ folder, watchdog, signal })
  closers.onEnd(() => servers.stop())
  const outcomes: Outcome[] = []
  for (const scenario of chosen) {
    signal.throwIfAborted()
    const pressure = await cpuPressure()
    const base = { servers, folder, watchdog, isQuick: false }
    const outcome = await runScenario(scenario, base, bench.isLogShown ? say : undefined)
    outcomes.push({ ...outcome, pressure })
    const took = `${outcome.seconds.toFixed(1)} s`
    say(`${seconds().padStart(6)} s  ${scenario.name}: ${verdictOf(outcome)} (${took})`)
  }
  process.stdout.write(`${tableOf(outcomes).join('\n')}\n${seconds()} s\n`)
  return outcomes.some(outcome => verdictOf(outcome) === 'FALLS SHORT') ? 1 : 0
}
