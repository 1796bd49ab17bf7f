// A folder of definitions for a gateway: one report over `sales`, keys in `keys`, both in one schema.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACCESS, REPORT, TENANCY } from '../definitions/sql-folder.ts'

/** @param folder parent folder @returns `SQL_DIR` */
export function writeSqlFolder(folder: string, schema: string): string {
  const sqlDir = join(folder, schema, 'sql')
  mkdirSync(join(sqlDir, 'access'), { recursive: true })
  mkdirSync(join(sqlDir, 'reports', 'shop'), { recursive: true })
  const access = ACCESS.replace('from keys', `from ${schema}.keys`)
  writeFileSync(join(sqlDir, 'access', 'organization_by_key.sql'), access)
  writeFileSync(join(sqlDir, 'reports', 'shop', 'sales.sql'), REPORT)
  writeFileSync(join(sqlDir, 'tenancy.yaml'), `${schema}.${TENANCY}`)
  return sqlDir
}
