/** All of a folder of SQL, or one error with all that is wrong with it. */
import { assembleCatalog } from './assemble-catalog.ts'
import type { Catalog } from './definition.ts'
import { DefinitionErrors } from './findings.ts'
import { readFolder } from './read-folder.ts'

/**
 * @param directory `SQL_DIR`, with `access/`, `reports/` and `metrics/` in it
 * @throws DefinitionErrors with every problem of every file
 */
export function loadCatalog(directory: string): Catalog {
  const { files, findings } = readFolder(directory)
  const { catalog, findings: doubles } = assembleCatalog(files)
  const all = [...findings, ...files.flatMap(read => read.findings), ...doubles]
  if (catalog === undefined || all.length > 0) throw new DefinitionErrors(all)
  return catalog
}
