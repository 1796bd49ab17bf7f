/** Loads a folder of SQL, all or nothing. */
import { assembleFolder } from './assemble-catalog.ts'
import type { Catalog } from './definition.ts'
import { DefinitionErrors } from './findings.ts'
import { readFolder } from './read-folder.ts'
import type { ParseSql } from './sql/parsed-sql.ts'

/**
 * @param directory `SQL_DIR`, with `access/`, `reports/` and `metrics/` in it
 * @throws DefinitionErrors with every problem of every file
 */
export async function loadCatalog(directory: string, parse: ParseSql): Promise<Catalog> {
  const { catalog, findings } = assembleFolder(await readFolder(directory, parse))
  if (catalog === undefined || findings.length > 0) throw new DefinitionErrors(findings)
  return catalog
}
