// A whole bench: servers, the scenarios selected by ONLY in sequence, one table, and an exit code.
import { startWatchdog } from '../../src/demo/watchdog.ts'
import type { Closers } from './closers.ts'
import { benchFolder, runToEnd } from './run-to-end.ts'
import { runScenario } from './run-scenario.ts'
import { scenariosNamed, verdictOf, type Groups, type Outcome } from './scenario.ts'
import { startServers } from './servers.ts'
import { tableOf } from './table.ts'

export interface Bench {
  readonly groups: Groups
  readonly only: string | undefined
  /** Prints the logs of gateways. */
  readonly isLogShown: boolean
}

/** Ends the process: 0 all targets reached, 1 a target missed, 3 the bench could not be set up. */
export function runBench(bench: Bench): Promise<never> {
  return runToEnd((closers, signal) => runAll(bench, closers, signal))
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

async function runAll(bench: Bench, closers: Closers, signal: AbortSignal): Promise<number> {
  const startedAt = performance.now()
  const seconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(1)
  const chosen = scenariosNamed(bench.groups, bench.only)
  const folder = benchFolder(closers)
  const watchdog = startWatchdog()
  closers.onEnd(() => watchdog.end())
  const servers = await startServers({ folder, watchdog, signal })
  closers.onEnd(() => servers.stop())
  const outcomes: Outcome[] = []
  for (const scenario of chosen) {
    signal.throwIfAborted()
    const base = { servers, folder, watchdog, isQuick: false }
    const outcome = await runScenario(scenario, base, bench.isLogShown ? say : undefined)
    outcomes.push(outcome)
    const took = `${outcome.seconds.toFixed(1)} s`
    say(`${seconds().padStart(6)} s  ${scenario.name}: ${verdictOf(outcome)} (${took})`)
  }
  process.stdout.write(`${tableOf(outcomes).join('\n')}\n${seconds()} s\n`)
  return outcomes.some(outcome => verdictOf(outcome) === 'FALLS SHORT') ? 1 : 0
}
