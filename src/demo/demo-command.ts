// `make run` without DATABASE_URL: a primary and its hot standby with demo data, and the gateway in front of it.
import { join } from 'node:path'
import { addressesOf, type Addresses } from './addresses.ts'
import { startCluster, type Cluster } from './cluster.ts'
import { becomesReady, startGateway } from './gateway.ts'
import { listenForInterrupts, type Interrupts } from './interrupts.ts'
import { samples } from './samples.ts'
import { seedDemo } from './seed.ts'
import { startWatchdog } from './watchdog.ts'
import { EXIT } from '../model/command-error.ts'
import { loadWithoutDatabases } from '../command/load-all.ts'
import { findMisspellings } from '../config/misspellings.ts'
import { withoutDatabases } from '../config/other-databases.ts'
import { messageOf, printLine } from '../command/output.ts'
import { writeConnections } from './running-demo.ts'
import { CHECKOUT, connectionsOf, DEMO_DIRECTORY } from './start-demo.ts'

export interface DemoOptions {
  environment: NodeJS.ProcessEnv
  /** Folder of the servers' data and logs. */
  directory: string
  /** Folder with schema, roles, demo data and demo keys. */
  sqlDirectory: string
  /** Amount of demo data; default 1. */
  scale: number
  /** Arguments of node for the gateway. */
  gateway: string[]
}

const readyDeadlineMs = 60_000

/** @returns the exit code: that of the gateway, 0 after SIGINT or SIGTERM, 3 if it cannot start. No process is left. */
export async function demo(
  variables: NodeJS.ProcessEnv,
  command: 'serve' | 'watch' = 'serve',
): Promise<number> {
  // why: /tmp is in memory on many machines
  const environment = { ALLOW_TMPFS: 'true', ...variables }
  // why: a gateway logs them, but with the demo's DATABASE_URL it cannot detect that this name was misspelt
  for (const warning of findMisspellings(environment)) printLine(warning)
  // Before the servers, so that errors of settings and definitions are reported at once.
  if (command === 'serve') await loadWithoutDatabases(environment)
  return serveDemo({
    environment,
    directory: DEMO_DIRECTORY,
    sqlDirectory: join(CHECKOUT, 'sql', 'product'),
    scale: 1,
    gateway: [join(CHECKOUT, 'dist', 'src', 'main.js'), command],
  })
}

export async function serveDemo(options: DemoOptions): Promise<number> {
  const { directory, environment, scale, sqlDirectory } = options
  const say = createSay()
  const interrupts = listenForInterrupts()
  const signal = interrupts.first
  interrupts.onHangUp(() => {})
  try {
    // Before the servers, so that taken ports are reported at once.
    const addresses = await addressesOf(environment)
    say('Starting a PostgreSQL primary and its hot standby ...')
    const cluster = await startCluster({ directory, database: 'svodka', say, signal })
    interrupts.second.addEventListener('abort', () => void cluster.stop('immediate'))
    try {
      say(`They stream; data and logs are in ${cluster.folder}`)
      await seedDemo(cluster, { directory: sqlDirectory, scale, say, signal })
      return await serve(options, cluster, addresses, interrupts, say)
    } finally {
      say('Stopping the standby and the primary ...')
      await cluster.stop()
      say('Stopped')
    }
  } catch (error) {
    if (signal.aborted) return 0
    say(messageOf(error))
    return EXIT.environment
  } finally {
    interrupts.close()
  }
}

type Say = (line: string) => void

/** Prints lines with the seconds since the start. */
function createSay(): Say {
  const start = performance.now()
  return line => {
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    process.stderr.write(`${seconds.padStart(5)} s  ${line}\n`)
  }
}

async function serve(
  { directory, environment, gateway: command, sqlDirectory }: DemoOptions,
  cluster: Cluster,
  addresses: Addresses,
  interrupts: Interrupts,
  say: Say,
): Promise<number> {
  const { first, second, forwardedSignal } = interrupts
  first.throwIfAborted()
  say('Starting the gateway on the standby ...')
  const connections = connectionsOf(cluster)
  const removeConnections = writeConnections(directory, connections)
  const watchdog = startWatchdog()
  try {
    // Without libpq's variables, which would change the connections.
    const gatewayEnvironment = {
      EXPLORER: 'on',
      ...withoutDatabases(environment),
      ...addresses.settings,
      ...connections,
    }
    const gateway = startGateway(watchdog, command, gatewayEnvironment)
    first.addEventListener('abort', () => gateway.send(forwardedSignal()))
    second.addEventListener('abort', () => gateway.send('SIGKILL'))

    const { apiUrl, operationsUrl } = addresses
    const ready = await becomesReady(gateway, `${operationsUrl}/readyz`, readyDeadlineMs)
    // Before it is ready, the signal could end it.
    if (ready) interrupts.onHangUp(() => gateway.send('SIGHUP'))
    if (ready) {
      const keysFile = join(sqlDirectory, 'demo-keys.sql')
      process.stdout.write(await samples(keysFile, cluster.primaryUrl, apiUrl))
      say(`Ready on ${apiUrl}, operations on ${operationsUrl}; Ctrl-C stops everything`)
    } else if (gateway.running()) {
      say(`The gateway is not ready after ${readyDeadlineMs / 1000} s: see ${operationsUrl}/readyz`)
    }
    const code = await gateway.ended
    say(`The gateway has ended with code ${code}`)
    return first.aborted ? 0 : code
  } finally {
    removeConnections()
    await watchdog.end()
  }
}
