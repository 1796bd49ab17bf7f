/** What the commands of one definition share: the definition, its settings, and its databases. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { Config } from '../../config/config.ts'
import { withDatabases, type Databases } from './databases.ts'
import { definitionNamed } from './definitions-named.ts'
import { loadWhatLoads, type LoadedPart } from './load-what-loads.ts'

export interface LoadedDefinition extends LoadedPart {
  readonly definition: AnyDefinition
}

export interface DefinitionOnReplica extends LoadedDefinition {
  readonly config: Config
  readonly databases: Databases
}

/**
 * Closes the databases at the end.
 * @param prepare reads the other arguments: it is called before a demo is started, so that errors in them come first
 * @throws CommandError if there is no such definition or no database
 */
export async function withDefinition<T>(
  name: string,
  options: { readonly demo?: boolean | undefined },
  environment: NodeJS.ProcessEnv,
  prepare: (loaded: LoadedDefinition) => T,
  use: (found: DefinitionOnReplica, prepared: Awaited<T>) => Promise<number>,
): Promise<number> {
  const part = await loadWhatLoads(environment)
  const loaded = { ...part, definition: definitionNamed(name, part) }
  const prepared = await prepare(loaded)
  return withDatabases(environment, options, (config, databases) =>
    use({ ...loaded, config, databases }, prepared),
  )
}
