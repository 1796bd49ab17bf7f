/** `svodka openapi`: the document of `/openapi.json`. Needs no database. */
import { EXIT } from '../../model/command-error.ts'
import { loadWithoutDatabases } from '../../command/load-all.ts'
import { print } from '../../command/output.ts'
import { PREFIX } from '../../model/terms.ts'
import { openApi } from '../../serve/describe/openapi.ts'

export async function openapi(environment: NodeJS.ProcessEnv): Promise<number> {
  const { catalog } = await loadWithoutDatabases(environment)
  await print(`${JSON.stringify(openApi(catalog, PREFIX), null, 2)}\n`)
  return EXIT.ok
}
