/** Loads the settings of author commands, and the definitions that load. */
import type { Config } from '../../config/config.ts'
import type { Setting } from '../../config/setting.ts'
import { SETTINGS } from '../../config/settings.ts'
import { assembleFolder } from '../../definitions/assemble-catalog.ts'
import { DefinitionErrors } from '../../definitions/findings.ts'
import { readFolder } from '../../definitions/read-folder.ts'
import { withSqlParser } from '../../definitions/sql/sql-parser.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { withNoDatabase } from '../../config/other-databases.ts'
import { readSettings } from '../../command/load-all.ts'
import { displayFinding } from '../../command/output.ts'

/** Ignores settings that only serving uses, so that errors in them do not matter. @throws as `readSettings`. */
export function readAuthorSettings(environment: NodeJS.ProcessEnv): Config {
  const settings: readonly Setting[] = Object.values(SETTINGS)
  const names = new Set(
    settings.flatMap(({ name, ofCommands }) => (ofCommands ? [name, `${name}_FILE`] : [])),
  )
  const ours = Object.entries(environment).filter(([name]) => names.has(name))
  // why: the folder for spill files matters only for a result that needs one
  return readSettings({ ...Object.fromEntries(ours), SPOOL_MAX_BYTES: '0' })
}

export type LoadedPart = Awaited<ReturnType<typeof loadWhatLoads>>

/**
 * A broken file does not prevent others from loading. Needs no database.
 * @returns findings have paths relative to the current directory
 * @throws CommandError with every problem, if settings are wrong or there is no key look-up.
 */
export async function loadWhatLoads(environment: NodeJS.ProcessEnv) {
  const { sqlDir } = readAuthorSettings(withNoDatabase(environment))
  const folder = await withSqlParser(parse => readFolder(sqlDir, parse))
  const { catalog, findings: found } = assembleFolder(folder)
  const findings = found.map(finding => displayFinding(finding, sqlDir))
  if (catalog === undefined)
    throw new CommandError(EXIT.findings, new DefinitionErrors(findings).message)
  return { sqlDir, catalog, findings }
}
