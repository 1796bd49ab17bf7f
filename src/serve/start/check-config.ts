/** `svodka serve --check-config`: checks settings, definitions and databases with the parts of the gateway, without serving. */
import { basename } from 'node:path'
import type { Config } from '../../config/config.ts'
import { secretRemovalOf } from '../../config/secrets.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { describeFinding } from '../../definitions/findings.ts'
import { Problem } from '../../model/errors.ts'
import { createGateway } from '../gateway.ts'
import { readFirst } from './reloading.ts'
import { wordsOf } from '../database/classify-error.ts'
import { checkLine, type Check } from '../../model/gauges.ts'

/**
 * @param shown the path of a file as messages name it, relative to the current directory
 * @returns with a line for each finding of a definition, and one for each check. Invalid if there are findings or a
 *   check is degraded
 * @throws DefinitionErrors without a key look-up
 */
export async function checkConfig(config: Config, shown: (file: string) => string) {
  const { sqlDir, warnings } = config
  const { catalog, findings } = await readFirst(sqlDir)
  const { checks, ...databases } = await checkDatabases(config, catalog)
  const all = [...findings, ...databases.findings]
  const lines = all.map(({ file, ...one }) => describeFinding({ ...one, file: shown(file) }))
  const count = `${catalog.reports.size} reports and ${catalog.metrics.size} metrics`
  const output = [
    ...new Set(lines),
    ...(warnings.length === 0 ? ['[+]settings ok'] : []),
    ...warnings.map(warning => `[-]settings failed: ${warning}`),
    `${findings.length === 0 ? '[+]files ok' : '[-]files failed'}: ${count} load in ${shown(basename(sqlDir))}`,
    ...checks.map(checkLine),
  ]
  const areOk = checks.every(({ ok, degraded }) => ok && !degraded)
  return {
    text: secretRemovalOf(config)(`${output.join('\n')}\n`),
    isValid: all.length === 0 && warnings.length === 0 && areOk,
  }
}

/** Checks about requests, and of all key databases together. */
const SERVING_CHECKS = new Set('answers,reload,keys,access-rows,spool,not draining'.split(','))

/** Connects to each database, plans the definitions on a replica and executes the key look-up. */
async function checkDatabases(config: Config, catalog: Catalog) {
  const gateway = createGateway({ config, catalog, log: () => {} })
  const { checks, failures, findings, inherited } = await gateway.check()
  const hasFailedReplica = [...failures.keys()].some(name => name.startsWith('replica '))
  const all = checks.flatMap((check): Check[] => {
    const { name, degraded } = check
    // why: the role of an unreachable replica was not checked
    const isUnknown = name === 'read-only role' && !degraded && hasFailedReplica
    if (SERVING_CHECKS.has(name) || isUnknown) return []
    const failure = failures.get(name)
    // why: not the problem that a client would get
    const reason = wordsOf(failure instanceof Problem ? (failure.cause ?? failure) : failure)
    return failure === undefined ? [check] : [{ name, ok: false, reason }]
  })
  if (inherited) all.push({ name: 'inherited settings', ok: true, reason: inherited })
  return { checks: all, findings }
}
