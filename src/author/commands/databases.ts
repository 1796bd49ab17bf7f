/** Which databases the commands of an author ask: those of the settings, the running demo's, or a demo's of their own. */
import { withoutDatabases } from '../../serve/command-line/load-all.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import { borrowDemo, runningDemo, type Connections } from '../../demo/running-demo.ts'
import { DEMO_DIRECTORY, startDemo } from '../../demo/start-demo.ts'

export interface Databases {
  /** The caller's settings with the connections in them. */
  readonly environment: NodeJS.ProcessEnv
  /** For people, as in `on the demo's standby`; holds no secret. */
  readonly where: string
  /** Whether they are the demo's, whose passwords are no secret. */
  readonly isDemo: boolean
  close(): Promise<void>
}

/**
 * Undefined where there is none and none was asked for.
 * @param lasting of demos one that runs until it is stopped, and is never closed from here
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
  const borrowed = borrowDemo(DEMO_DIRECTORY)
  if (borrowed !== undefined) {
    return ofDemo(environment, borrowed.connections, async () => borrowed.giveBack())
  }
  if (!demo) return undefined
  const { connections, stop } = await startDemo()
  return ofDemo(environment, connections, stop)
}

/** @throws CommandError naming the three ways to a database. */
export async function needDatabases(
  environment: NodeJS.ProcessEnv,
  options: { readonly demo?: boolean | undefined },
): Promise<Databases> {
  const found = await findDatabases(environment, options)
  if (found !== undefined) return found
  throw new CommandError(EXIT.environment, NO_DATABASE)
}

export const NO_DATABASE =
  'There is no database to ask. Set DATABASE_URL, or start the demo with `make run` in another terminal, or add --demo.'

function ofDemo(
  environment: NodeJS.ProcessEnv,
  connections: Connections,
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
