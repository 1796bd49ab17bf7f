/** `svodka serve --check-config`: checks what a start needs, without serving. */
import { secretRemovalOf } from '../../config/secrets.ts'
import { describeFinding } from '../../definitions/findings.ts'
import { checkDatabases } from './config-check.ts'
import { displayFinding, displayPath } from './display-path.ts'
import { EXIT } from './exit.ts'
import { orFindings, readSettings } from './load-all.ts'
import { print, printLine } from './output.ts'
import { readFirst } from './reloading.ts'

/**
 * Prints a line for each finding of a definition, and one for each check.
 * @returns the exit code: 1 if there are findings or a check is degraded
 * @throws CommandError if settings are wrong or there is no key look-up.
 */
export async function checkConfig(environment: NodeJS.ProcessEnv): Promise<number> {
  const config = readSettings(environment)
  const { sqlDir, warnings } = config
  const { catalog, findings } = await orFindings(sqlDir, () => readFirst(sqlDir))
  const databases = await checkDatabases({ config, catalog })
  const all = [...findings, ...databases.findings]
  const lines = all.map(finding => describeFinding(displayFinding(finding, sqlDir)))
  const count = `${catalog.reports.size} reports and ${catalog.metrics.size} metrics`
  const output = [
    ...new Set(lines),
    ...(warnings.length === 0 ? ['[+]settings ok'] : []),
    ...warnings.map(warning => `[-]settings failed: ${warning}`),
    `${findings.length === 0 ? '[+]files ok' : '[-]files failed'}: ${count} load in ${displayPath(sqlDir)}`,
    ...databases.lines,
  ]
  await print(secretRemovalOf(config)(`${output.join('\n')}\n`))
  const isValid = all.length === 0 && warnings.length === 0 && databases.isValid
  printLine(isValid ? 'The configuration is valid.' : 'The configuration has findings.')
  return isValid ? EXIT.ok : EXIT.findings
}
