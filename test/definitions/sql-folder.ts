/** Folders of definitions for tests, from file names and texts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Catalog } from '../../src/definitions/definition.ts'
import { DefinitionErrors, describeFinding } from '../../src/definitions/findings.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { fixture } from '../harness/fixtures.ts'
import { parseSql } from '../harness/parse-sql.ts'

export const ACCESS =
  'select hash as key_hash, id as organization_id, zone as time_zone, true as entitled from keys where hash = any (:key_hashes)'

export const TENANCY = 'sales: organization_id\n'

export const REPORT = fixture('reports/shop/sales')

export const METRICS = fixture('metrics/shop')

/** File names relative to the folder, such as `reports/shop/sales.sql`; the access file and `tenancy.yaml` are added by default, empty files omitted. */
export async function load(files: Readonly<Record<string, string>>): Promise<Catalog> {
  const parent = mkdtempSync(join(tmpdir(), 'svodka-definitions-'))
  try {
    const all = { 'access/organization_by_key.sql': ACCESS, 'tenancy.yaml': TENANCY, ...files }
    for (const [name, text] of Object.entries(all)) {
      const path = join(parent, 'sql', name)
      mkdirSync(dirname(path), { recursive: true })
      if (text !== '') writeFileSync(path, text)
    }
    return await loadCatalog(join(parent, 'sql'), parseSql)
  } finally {
    rmSync(parent, { recursive: true })
  }
}

/** The problems of a folder; empty if it loads. */
export async function problemsOf(
  files: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  try {
    await load(files)
    return []
  } catch (error) {
    if (error instanceof DefinitionErrors) return error.findings.map(describeFinding)
    throw error
  }
}

/** The problems of one report, without the file name: `4: message`. */
export async function reportProblems(text: string): Promise<string[]> {
  const file = 'reports/shop/sales.sql'
  return (await problemsOf({ [file]: text })).map(problem => problem.replace(`sql/${file}:`, ''))
}

/** The valid report, with a text replaced. */
export function reportWith(found: string, replaced: string): string {
  if (!REPORT.includes(found)) throw new Error(`the report has no ${found}`)
  return REPORT.replace(found, () => replaced)
}
