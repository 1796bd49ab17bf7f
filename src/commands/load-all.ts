/** What every command needs before it begins: the settings and the definitions, or why there are none. */
import { ConfigError } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read-config.ts'
import { secretRemovalOf } from '../config/secrets.ts'
import { assembleCatalog } from '../definitions/assemble-catalog.ts'
import type { Catalog } from '../definitions/definition.ts'
import { DefinitionErrors, type FileFinding } from '../definitions/findings.ts'
import { loadCatalog } from '../definitions/load-catalog.ts'
import { readFolder } from '../definitions/read-folder.ts'
import { withoutDatabases } from './databases.ts'
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

/** Those that commands of authors use: what serves alone stands in no author's way. @throws as `readSettings`. */
export function readAuthorSettings(environment: NodeJS.ProcessEnv): Config {
  const used = Object.entries(environment).filter(([name]) => !OF_SERVING.test(name))
  return readSettings(Object.fromEntries(used))
}

const OF_SERVING =
  /^(?:(?:OPS_)?(?:HOST|PORT)$|(?:LOG|DRAIN)_|(?:STALL_TIMEOUT|SLOW_REQUEST)$|\w+_POOL_SIZE$)/

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

/** A folder of definitions as far as it loads. */
export interface LoadedPart {
  /** `SQL_DIR` */
  readonly sqlDir: string
  readonly catalog: Catalog
  /** All that is wrong, of the files that are left out and of the folder; files as they open from here. */
  readonly findings: readonly FileFinding[]
}

/**
 * For authors: a file that is broken stands in no other's way. Needs no database.
 * @throws CommandError with every problem, where the settings are wrong or nothing finds organizations.
 */
export function loadWhatLoads(environment: NodeJS.ProcessEnv): LoadedPart {
  const { sqlDir } = readAuthorSettings(withNoDatabase(environment))
  const { files, findings: ofFolder } = readFolder(sqlDir)
  const { catalog, findings: doubles } = assembleCatalog(files)
  const all = [...ofFolder, ...files.flatMap(read => read.findings), ...doubles]
  const findings = all.map(finding => shownFinding(finding, sqlDir))
  if (catalog === undefined)
    throw new CommandError(EXIT.findings, new DefinitionErrors(findings).message)
  return { sqlDir, catalog, findings }
}

/** For what needs no database. @throws as `loadAll`. */
export function loadWithoutDatabases(environment: NodeJS.ProcessEnv): ReturnType<typeof loadAll> {
  return loadAll(withNoDatabase(environment))
}

export function withNoDatabase(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // why: the settings have no use without a database, so one that nobody asks stands in
  return { ...withoutDatabases(environment), DATABASE_URL: 'postgres://127.0.0.1/' }
}
