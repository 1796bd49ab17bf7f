// A product with a product.yaml, on the shared servers: test/fixtures/invoices.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'
import { createTestDatabase } from './test-database.ts'
import { writeFiles } from './write-files.ts'

const FOLDER = 'test/fixtures/invoices'

/** @param found in `product.yaml`, replaced @param files of `SQL_DIR` that differ @returns settings for a gateway */
export async function invoicesEnvironment(
  found = '',
  replaced = '',
  files: Readonly<Record<string, string>> = {},
): Promise<NodeJS.ProcessEnv> {
  const schema = readFileSync(join(FOLDER, 'schema.sql'), 'utf8')
  const { replicaUrl } = await createTestDatabase('invoices', schema)
  const SQL_DIR = join(temporaryFolder(), 'sql')
  cpSync(join(FOLDER, 'sql'), SQL_DIR, { recursive: true })
  const product = readFileSync(join(SQL_DIR, 'product.yaml'), 'utf8').replace(found, replaced)
  writeFiles(SQL_DIR, { 'product.yaml': product, ...files })
  return { DATABASE_URL: replicaUrl, SQL_DIR }
}
