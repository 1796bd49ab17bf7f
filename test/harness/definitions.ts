// The product's definitions with one more file.
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PRODUCT } from './servers.ts'

/** @returns `SQL_DIR` */
export function definitionsWith(folder: string, path: string, sql: string): string {
  const copy = mkdtempSync(join(folder, 'definitions-'))
  cpSync(`${PRODUCT}/sql`, copy, { recursive: true })
  mkdirSync(dirname(join(copy, path)), { recursive: true })
  writeFileSync(join(copy, path), sql)
  return copy
}
