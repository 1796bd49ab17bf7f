/** What every command needs before it begins: the settings and the definitions, or why there are none. */
import { ConfigError } from '../../config/config.ts'
import type { Config } from '../../config/config.ts'
import { readConfig } from '../../config/read-config.ts'
import { secretRemovalOf } from '../../config/secrets.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { DefinitionErrors } from '../../definitions/findings.ts'
import { loadCatalog } from '../../definitions/load-catalog.ts'
import { CommandError, EXIT } from './exit.ts'
import { hideFromStderr } from './output.ts'
import { shownFinding } from './shown-path.ts'

/** @throws CommandError with every problem of the settings, or else of the definitions. */
export function loadAll(environment: NodeJS.ProcessEnv): {
  readonly config: Config
  readonly catalog: Catalog
} {
  const config = readSettings(environment)
  return { config, catalog: orFindings(config.sqlDir, () => loadCatalog(config.sqlDir)) }
}

/** @throws CommandError with every problem of the settings. */
export function readSettings(environment: NodeJS.ProcessEnv): Config {
  try {
    const config = readConfig(environment)
    hideFromStderr(secretRemovalOf(config))
    return config
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(EXIT.usage, error.message)
    throw error
  }
}

/** @throws CommandError with every problem of the definitions of `sqlDir`, which `load` reads. */
export function orFindings<T>(sqlDir: string, load: () => T): T {
  try {
    return load()
  } catch (error) {
    if (!(error instanceof DefinitionErrors)) throw error
    const shown = error.findings.map(finding => shownFinding(finding, sqlDir))
    throw new CommandError(EXIT.findings, new DefinitionErrors(shown).message)
  }
}

/** For what needs no database. @throws as `loadAll`. */
export function loadWithoutDatabases(environment: NodeJS.ProcessEnv): ReturnType<typeof loadAll> {
  return loadAll(withNoDatabase(environment))
}

export function withNoDatabase(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // why: the settings have no use without a database, so one that nobody asks stands in
  return { ...withoutDatabases(environment), DATABASE_URL: 'postgres://127.0.0.1/' }
}

/** The caller's settings without any that leads to a database: not to be mixed with others. */
export function withoutDatabases(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^PG[A-Z]/.test(name) && !/^(KEYS_|PROBE_)?DATABASE_URL/.test(name),
  )
  return Object.fromEntries(kept)
}
