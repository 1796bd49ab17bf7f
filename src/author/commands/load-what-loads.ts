/** What commands of authors need before they begin: the settings, and the definitions as far as they load. */
import type { Config } from '../../config/config.ts'
import { assembleCatalog } from '../../definitions/assemble-catalog.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { DefinitionErrors, type FileFinding } from '../../definitions/findings.ts'
import { readFolder } from '../../definitions/read-folder.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import { readSettings, withNoDatabase } from '../../serve/command-line/load-all.ts'
import { shownFinding } from '../../serve/command-line/shown-path.ts'

/** Those that commands of authors use: what serves alone stands in no author's way. @throws as `readSettings`. */
export function readAuthorSettings(environment: NodeJS.ProcessEnv): Config {
  const used = Object.entries(environment).filter(([name]) => !OF_SERVING.test(name))
  return readSettings(Object.fromEntries(used))
}

const OF_SERVING =
  /^(?:(?:OPS_)?(?:HOST|PORT)$|(?:LOG|DRAIN)_|(?:STALL_TIMEOUT|SLOW_REQUEST)$|\w+_POOL_SIZE$)/

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
