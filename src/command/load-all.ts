/** Loads the settings and definitions for a command. */
import { ConfigError, type Config } from '../config/config.ts'
import { withNoDatabase } from '../config/other-databases.ts'
import { readConfig } from '../config/read-config.ts'
import { secretRemovalOf } from '../config/secrets.ts'
import { DefinitionErrors } from '../definitions/findings.ts'
import { loadCatalog } from '../definitions/load-catalog.ts'
import { withSqlParser } from '../definitions/sql/sql-parser.ts'
import { displayFinding, hideFromStderr } from './output.ts'
import { CommandError, EXIT } from '../model/command-error.ts'

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
