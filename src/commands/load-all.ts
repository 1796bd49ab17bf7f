/** What every command needs before it begins: the settings and the definitions, or why there are none. */
import { ConfigError } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read-config.ts'
import type { Catalog } from '../definitions/definition.ts'
import { DefinitionErrors } from '../definitions/findings.ts'
import { loadCatalog } from '../definitions/load-catalog.ts'

/** What a process ends with. */
export const EXIT = { ok: 0, definitions: 1, usage: 2, environment: 3 } as const

/** Where it cannot be had, every problem is on stderr and the answer is the exit code. */
export function loadAll(
  environment: NodeJS.ProcessEnv,
): { readonly config: Config; readonly catalog: Catalog } | number {
  try {
    const config = readConfig(environment)
    return { config, catalog: loadCatalog(config.sqlDir) }
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof DefinitionErrors)) throw error
    process.stderr.write(`${error.message}\n`)
    return error instanceof ConfigError ? EXIT.usage : EXIT.definitions
  }
}
