/** `svodka openapi`: the document of `/openapi.json`. Needs no database. */
import { EXIT } from '../../model/command-error.ts'
import { loadWithoutDatabases } from '../../command/load-all.ts'
import { print } from '../../command/output.ts'
import { PREFIX } from '../../model/terms.ts'
import { openApiText } from '../../serve/describe/openapi.ts'

export async function openapi(environment: NodeJS.ProcessEnv): Promise<number> {
  const { catalog } = await loadWithoutDatabases(environment)
  const text = await openApiText(catalog, PREFIX)
  await print(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)
  return EXIT.ok
}
