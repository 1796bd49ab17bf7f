/** The databases of author commands: those of the settings, of the running demo, or of a new demo. */
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { withNoDatabase, withoutDatabases } from '../../config/other-databases.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { borrowDemo, runningDemo, type DemoConnections } from '../../demo/running-demo.ts'
import { CHECKOUT, DEMO_DIRECTORY, startDemo } from '../../demo/start-demo.ts'
import { readAuthorSettings } from './load-what-loads.ts'

export interface Databases {
  /** The caller's settings, with the connections. */
  readonly environment: NodeJS.ProcessEnv
  /** For messages, such as `the demo's standby`; contains no secret. */
  readonly where: string
  /** Whether they are the demo's: its passwords are not secret. */
  readonly isDemo: boolean
  close(): Promise<void>
}

/**
 * Undefined if there is no database and `demo` is false.
 * @param lasting only a demo that runs until it is stopped by its own command
 */
export async function findDatabases(
  environment: NodeJS.ProcessEnv,
  {
    demo = false,
    lasting = false,
  }: { readonly demo?: boolean | undefined; readonly lasting?: boolean | undefined },
): Promise<Databases | undefined> {
  const isSet = (name: string) => (environment[name]?.trim() ?? '') !== ''
  if (!demo && (isSet('DATABASE_URL') || isSet('DATABASE_URL_FILE'))) {
    return { environment, where: 'the replica at DATABASE_URL', isDemo: false, close: nothing }
  }
  if (lasting) {
    const running = runningDemo(DEMO_DIRECTORY, { lasting })
    return running && ofDemo(environment, running, nothing)
  }
  // why: definitions of another product do not match the demo's tables
  const borrowed = demo || isOfDemo(environment) ? borrowDemo(DEMO_DIRECTORY) : undefined
  if (borrowed !== undefined) {
    return ofDemo(environment, borrowed.connections, async () => borrowed.giveBack())
  }
  if (!demo) return undefined
  const { connections, stop } = await startDemo()
  return ofDemo(environment, connections, stop)
}

/** Closes them at the end. @throws CommandError that says how to provide a database; errors of `use` */
export async function withDatabases<T>(
  environment: NodeJS.ProcessEnv,
  options: { readonly demo?: boolean | undefined },
  use: (config: Config, databases: Databases) => Promise<T>,
): Promise<T> {
  const databases = await findDatabases(environment, options)
  if (databases === undefined) {
    const demo = isOfDemo(environment) ? ' Or add --demo, or start it with `make run`.' : ''
    throw new CommandError(EXIT.environment, `${NO_DATABASE}${demo}`)
  }
  try {
    return await use(readAuthorSettings(databases.environment), databases)
  } finally {
    await databases.close()
  }
}

/** Whether the definitions are the demo's. */
function isOfDemo(environment: NodeJS.ProcessEnv): boolean {
  return readAuthorSettings(withNoDatabase(environment)).sqlDir === join(CHECKOUT, 'sql')
}

export const NO_DATABASE = 'There is no database, expected DATABASE_URL of a replica.'

function ofDemo(
  environment: NodeJS.ProcessEnv,
  connections: DemoConnections,
  close: () => Promise<void>,
): Databases {
  return {
    environment: { ...withoutDatabases(environment), ...connections },
    where: "the demo's standby",
    isDemo: true,
    close,
  }
}

const nothing = async () => {}
