// A folder of definitions for a gateway: one report over `sales`, keys in `keys`, both in one schema.
import { join } from 'node:path'
import { ACCESS, REPORT, TENANCY } from '../definitions/sql-folder.ts'
import { writeFiles } from './write-files.ts'

/** @param folder parent folder @returns `SQL_DIR` */
export function writeSqlFolder(folder: string, schema: string): string {
  return writeFiles(join(folder, schema, 'sql'), {
    'access/organization_by_key.sql': ACCESS.replace('from keys', `from ${schema}.keys`),
    'reports/shop/sales.sql': REPORT,
    'tenancy.yaml': `${schema}.${TENANCY}`,
  })
}
