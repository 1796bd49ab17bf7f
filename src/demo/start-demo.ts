/** The demo's servers for one command: started by it, or borrowed from another process. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCluster, type Cluster } from './cluster.ts'
import { listenForInterrupts } from './interrupts.ts'
import { FolderInUse } from './lock.ts'
import { eventually, isAlive } from './processes.ts'
import { seedDemo } from './seed.ts'
import type { Milliseconds } from '../model/terms.ts'
import { CommandError, EXIT } from '../model/command-error.ts'
import { messageOf, printLine } from '../command/output.ts'
import {
  borrowDemo,
  isBorrowed,
  writeConnections,
  runningDemo,
  type BorrowedDemo,
  type DemoConnections,
} from './running-demo.ts'

export interface StartedDemo {
  readonly connections: DemoConnections
  /** Stops the servers, if they were started here. */
  readonly stop: () => Promise<void>
}

export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
export const DEMO_DIRECTORY = join(CHECKOUT, '.demo', 'run')
const START_DEADLINE_MS: Milliseconds = 90_000

/** @throws CommandError with the reason if the demo does not start. */
export async function startDemo(): Promise<StartedDemo> {
  for (;;) {
    try {
      return await startServers()
    } catch (error) {
      const reason = messageOf(error)
      if (!(error instanceof FolderInUse)) throw doesNotStart(reason)
      const { pid } = error
      printLine(`Waiting for the demo that process ${pid ?? 'unknown'} starts ...`)
      const borrowed = await borrowOnceStarted(DEMO_DIRECTORY, pid, START_DEADLINE_MS)
      if (borrowed !== undefined) {
        return { connections: borrowed.connections, stop: async () => borrowed.giveBack() }
      }
      if (pid === undefined || isAlive(pid)) throw doesNotStart(reason)
    }
  }
}

/** The demo of a process, once it runs; undefined if the process ends before, or after `withinMs`. */
export async function borrowOnceStarted(
  directory: string,
  pid: number | undefined,
  withinMs: Milliseconds,
): Promise<BorrowedDemo | undefined> {
  const isStarting = () => pid !== undefined && isAlive(pid)
  await eventually(() => runningDemo(directory) !== undefined || !isStarting(), withinMs, 100)
  return borrowDemo(directory)
}

/** Settings of the gateway for the demo's standby. */
export function connectionsOf({ urlFor }: Cluster): DemoConnections {
  return {
    DATABASE_URL: urlFor('svodka_reports', 'replica'),
    KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
    PROBE_DATABASE_URL: urlFor('svodka_probe', 'replica'),
  }
}

async function startServers(): Promise<StartedDemo> {
  const interrupts = listenForInterrupts()
  const signal = interrupts.first
  printLine('Starting the demo: a PostgreSQL primary and its hot standby ...')
  const cluster = await startCluster({
    directory: DEMO_DIRECTORY,
    database: 'svodka',
    signal,
  }).catch((error: unknown) => {
    interrupts.close()
    throw error
  })
  let removeConnections: (() => void) | undefined
  const stop = async () => {
    removeConnections?.()
    await cluster.stop('immediate')
    interrupts.close()
  }
  const stopOnceGivenBack = async () => {
    removeConnections?.()
    if (isBorrowed(DEMO_DIRECTORY)) {
      printLine('Another command uses this demo: waiting for it; Ctrl-C stops the demo ...')
      await eventually(() => !isBorrowed(DEMO_DIRECTORY), Infinity, 100)
    }
    await stop()
  }
  // Ctrl-C ends at once: pending queries fail when the servers stop.
  signal.addEventListener('abort', () => void stop().then(() => process.exit(130)))
  try {
    await seedDemo(cluster, { directory: join(CHECKOUT, 'sql', 'product'), say: printLine, signal })
    const connections = connectionsOf(cluster)
    removeConnections = writeConnections(DEMO_DIRECTORY, connections, { isBrief: true })
    return { connections, stop: stopOnceGivenBack }
  } catch (error) {
    await stop()
    throw error
  }
}

function doesNotStart(reason: string): CommandError {
  return new CommandError(EXIT.environment, `The demo does not start: ${reason}`)
}
