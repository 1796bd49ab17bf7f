/** Loads the settings and definitions for a command. */
import { ConfigError } from '../../config/config.ts'
import type { Config } from '../../config/config.ts'
import { findMisspellings } from '../../config/misspellings.ts'
import { readConfig } from '../../config/read-config.ts'
import { secretRemovalOf } from '../../config/secrets.ts'
import { DefinitionErrors } from '../../definitions/findings.ts'
import { loadCatalog } from '../../definitions/load-catalog.ts'
import { withSqlParser } from '../../definitions/sql/sql-parser.ts'
import { displayFinding } from './display-path.ts'
import { CommandError, EXIT } from './exit.ts'
import { hideFromStderr, printLine } from './output.ts'

/** For commands that need no database. @throws CommandError with all errors in the settings, or else in the definitions. */
export async function loadWithoutDatabases(environment: NodeJS.ProcessEnv) {
  const config = readSettings(withNoDatabase(environment))
  const { sqlDir } = config
  const load = () => withSqlParser(parse => loadCatalog(sqlDir, parse))
  return { config, catalog: await orFindings(sqlDir, load) }
}

/** @throws CommandError with all errors in the settings. */
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

/** @throws CommandError with all errors in the definitions of `sqlDir`, which `load` reads. */
export async function orFindings<T>(sqlDir: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!(error instanceof DefinitionErrors)) throw error
    const shown = error.findings.map(finding => displayFinding(finding, sqlDir))
    throw new CommandError(EXIT.findings, new DefinitionErrors(shown).message)
  }
}

/**
 * Prints warnings about misspelt settings to stderr. A gateway logs them, but the demo sets `DATABASE_URL`, so its
 * gateway cannot detect that this name was misspelt.
 */
export function printMisspellings(environment: NodeJS.ProcessEnv): void {
  for (const warning of findMisspellings(environment)) printLine(warning)
}

export function withNoDatabase(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = withoutDatabases(environment)
  // why: DATABASE_URL is required; no connection is opened to this one, and no file is written
  return { ALLOW_TMPFS: 'true', ...others, DATABASE_URL: 'postgres://127.0.0.1/' }
}

/** Removes all settings of databases from the environment, so that they cannot be mixed with others. */
export function withoutDatabases(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(environment).filter(
    ([name]) => !/^PG[A-Z]/.test(name) && !/^(KEYS_|PROBE_)?DATABASE_URL/.test(name),
  )
  return Object.fromEntries(others)
}
