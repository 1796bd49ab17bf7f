/** Key look-ups with rows selected by a test. */
import { createHash } from 'node:crypto'
import type { AccessDefinition } from '../../src/definitions/access-definition.ts'
import {
  organizationsByKey,
  InvalidAccessRow,
  type OrganizationsByKey,
} from '../../src/serve/access/access-rows.ts'
import { createPool } from '../../src/serve/database/pool.ts'
import { readOnlyRows, type QueryRows } from '../../src/serve/database/connection.ts'
import { ACCESS, load, REPORT } from '../definitions/sql-folder.ts'

export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')
export const KEY = hashOf('key')

const LOADED = await load({ 'reports/shop/sales.sql': REPORT })

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

/** @param select replaces the query of the access file, without its restrictions */
export function accessSelecting(select: string): AccessDefinition {
  const loaded = LOADED.access
  const inFile = ACCESS.replace(':key_hashes', '($1::bytea[])')
  const own = (text: string): string => text.replace(inFile, () => select)
  return { ...loaded, text: own(loaded.text), idTypeText: own(loaded.idTypeText) }
}

export function finderOf(access: () => AccessDefinition) {
  return (read: QueryRows, hashes: readonly string[]): Promise<OrganizationsByKey> =>
    organizationsByKey(read, { ...LOADED, access: access() }, hashes, () => undefined)
}

/** Look-ups on one connection. */
export function keyDatabaseAt(connectionString: string, access: () => AccessDefinition) {
  const common = { connectionString, connectTimeoutMs: 5000, observe: () => {} }
  const pool = createPool({ ...common, name: 'keys', max: 1 })
  const find = finderOf(access)
  const read: QueryRows = query => pool.withSession(client => readOnlyRows(client, 5000, query))
  return { find: (hashes: readonly string[]) => find(read, hashes), pool }
}

/** The id for the key. @throws the fault of its row */
export async function idOf(database: {
  find(hashes: readonly string[]): Promise<OrganizationsByKey>
}): Promise<string | undefined> {
  const organization = (await database.find([KEY])).get(KEY)
  if (organization instanceof InvalidAccessRow) throw organization
  return organization?.id
}
