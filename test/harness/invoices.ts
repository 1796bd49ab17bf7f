// A product with a product.yaml, on the shared servers: test/fixtures/invoices.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { writeFiles } from './write-files.ts'

const FOLDER = 'test/fixtures/invoices'

export interface InvoicesEnvironment extends TestDatabase {
  /** Settings for a gateway. */
  readonly environment: NodeJS.ProcessEnv
}

/** @param found in `product.yaml`, replaced @param files of `SQL_DIR` that differ */
export async function invoicesEnvironment(
  found: string | RegExp = '',
  replaced = '',
  files: Readonly<Record<string, string>> = {},
): Promise<InvoicesEnvironment> {
  const schema = readFileSync(join(FOLDER, 'schema.sql'), 'utf8')
  const database = await createTestDatabase('invoices', schema)
  const SQL_DIR = join(temporaryFolder(), 'sql')
  cpSync(join(FOLDER, 'sql'), SQL_DIR, { recursive: true })
  const product = readFileSync(join(SQL_DIR, 'product.yaml'), 'utf8').replace(found, replaced)
  writeFiles(SQL_DIR, { 'product.yaml': product, ...files })
  return { ...database, environment: { DATABASE_URL: database.replicaUrl, SQL_DIR } }
}
