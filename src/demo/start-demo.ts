/** The demo's servers for the time of a command: its own, or those that another process is starting. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCluster, type Cluster } from './cluster.ts'
import { listenForInterrupts } from './interrupts.ts'
import { FolderInUse } from './lock.ts'
import { eventually, isAlive } from './processes.ts'
import { seedDemo } from './seed.ts'
import type { Milliseconds } from '../model/terms.ts'
import { CommandError, EXIT } from '../serve/command-line/exit.ts'
import { messageOf, say } from '../serve/command-line/output.ts'
import {
  borrowDemo,
  isBorrowed,
  leaveConnections,
  runningDemo,
  type BorrowedDemo,
  type Connections,
} from './running-demo.ts'

export interface StartedDemo {
  readonly connections: Connections
  /** Stops what was started here. */
  readonly stop: () => Promise<void>
}

export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
export const DEMO_DIRECTORY = join(CHECKOUT, '.demo', 'run')
const START_DEADLINE_MS: Milliseconds = 90_000

/** @throws CommandError saying why it does not start. */
export async function startDemo(): Promise<StartedDemo> {
  for (;;) {
    try {
      return await startServers()
    } catch (error) {
      const reason = messageOf(error)
      if (!(error instanceof FolderInUse)) throw doesNotStart(reason)
      const { pid } = error
      say(`Waiting for the demo that process ${pid ?? 'unknown'} starts ...`)
      const borrowed = await borrowOnceStarted(DEMO_DIRECTORY, pid, START_DEADLINE_MS)
      if (borrowed !== undefined) {
        return { connections: borrowed.connections, stop: async () => borrowed.giveBack() }
      }
      if (pid === undefined || isAlive(pid)) throw doesNotStart(reason)
    }
  }
}

/** The demo of a process, once it runs; undefined where it ends before, or takes too long. */
export async function borrowOnceStarted(
  directory: string,
  pid: number | undefined,
  withinMs: Milliseconds,
): Promise<BorrowedDemo | undefined> {
  const isStarting = () => pid !== undefined && isAlive(pid)
  await eventually(() => runningDemo(directory) !== undefined || !isStarting(), withinMs, 100)
  return borrowDemo(directory)
}

/** As the gateway reaches the demo's standby. */
export function connectionsOf({ urlFor }: Cluster): Connections {
  return {
    DATABASE_URL: urlFor('svodka_reports', 'replica'),
    KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
    PROBE_DATABASE_URL: urlFor('svodka_probe', 'replica'),
  }
}

async function startServers(): Promise<StartedDemo> {
  const interrupts = listenForInterrupts()
  const signal = interrupts.first
  say('Starting the demo: a PostgreSQL primary and its hot standby ...')
  const cluster = await startCluster({
    directory: DEMO_DIRECTORY,
    database: 'svodka',
    signal,
  }).catch((error: unknown) => {
    interrupts.close()
    throw error
  })
  let takeConnections: (() => void) | undefined
  const stop = async () => {
    takeConnections?.()
    await cluster.stop('immediate')
    interrupts.close()
  }
  const stopOnceGivenBack = async () => {
    takeConnections?.()
    if (isBorrowed(DEMO_DIRECTORY)) {
      say('Another command asks this demo: waiting for it; Ctrl-C stops the demo ...')
      await eventually(() => !isBorrowed(DEMO_DIRECTORY), Infinity, 100)
    }
    await stop()
  }
  // Ctrl-C ends at once: what is asked of the servers fails as they go.
  signal.addEventListener('abort', () => void stop().then(() => process.exit(130)))
  try {
    await seedDemo(cluster, { directory: join(CHECKOUT, 'sql', 'product'), say, signal })
    const connections = connectionsOf(cluster)
    takeConnections = leaveConnections(DEMO_DIRECTORY, connections, { isBrief: true })
    return { connections, stop: stopOnceGivenBack }
  } catch (error) {
    await stop()
    throw error
  }
}

function doesNotStart(reason: string): CommandError {
  return new CommandError(EXIT.environment, `The demo does not start: ${reason}`)
}
