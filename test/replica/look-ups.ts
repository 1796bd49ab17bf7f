/** Look-ups of keys that answer what a test selects. */
import { createHash } from 'node:crypto'
import { InvalidAccessRow } from '../../src/serve/access/invalid-access-row.ts'
import type { FoundByKey } from '../../src/serve/access/organization-lookup.ts'
import type { AccessDefinition } from '../../src/definitions/definition.ts'
import { createKeyDatabase, type KeyDatabase } from '../../src/serve/replica/key-database.ts'
import { ACCESS, load, REPORT } from '../definitions/sql-folder.ts'

export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')
export const KEY = hashOf('key')

/** A row for each key, with SQL for some of the columns. */
export function selecting(columns: Readonly<Record<string, string>>): string {
  const all = {
    key_hash: 'hash',
    organization_id: '7',
    time_zone: `'UTC'`,
    entitled: 'true',
    ...columns,
  }
  const list = Object.entries(all).map(([name, sql]) => `${sql} as ${name}`)
  return `select ${list.join(', ')} from unnest($1::bytea[]) as hash`
}

/** @param select stands in for what the access file has, and may ask what a file may not */
export function accessSelecting(select: string): AccessDefinition {
  const loaded = load({ 'reports/shop/sales.sql': REPORT }).access
  const inFile = ACCESS.replace(':key_hashes', '($1::bytea[])')
  const own = (text: string): string => text.replace(inFile, () => select)
  return { ...loaded, text: own(loaded.text), idTypeText: own(loaded.idTypeText) }
}

export function keyDatabaseAt(
  connectionString: string,
  access: () => AccessDefinition,
  more: Partial<Parameters<typeof createKeyDatabase>[0]> = {},
): KeyDatabase {
  return createKeyDatabase({
    connectionString,
    poolSize: 1,
    connectTimeoutMs: 5000,
    timeoutMs: 5000,
    access,
    observe: () => {},
    now: () => performance.now(),
    ...more,
  })
}

/** The id that the key finds. @throws what is wrong with its row */
export async function idOf(database: {
  find(hashes: readonly string[]): Promise<FoundByKey>
}): Promise<string | undefined> {
  const organization = (await database.find([KEY])).get(KEY)
  if (organization instanceof InvalidAccessRow) throw organization
  return organization?.id
}
