/** Looks up the organizations of key hashes by the access query. Knows no pg. */
import type { AccessDefinition } from '../../definitions/definition.ts'
import type { Organization } from '../../model/terms.ts'
import type { ReadRows } from '../database/row-query.ts'
import { readOrganization } from './access-row.ts'
import type { KeyHash } from './api-key.ts'
import { InvalidAccessRow } from './invalid-access-row.ts'

/** Contains only valid keys. */
export type OrganizationsByKey = ReadonlyMap<KeyHash, Organization | InvalidAccessRow>

/** The hash of no key. */
export const NO_KEY: KeyHash = '00'.repeat(32)

/** @param timeZoneFault as of `readOrganization` @throws as `ReadRows` */
export async function organizationsByKey(
  read: ReadRows,
  { file, text, version }: AccessDefinition,
  hashes: readonly KeyHash[],
  timeZoneFault: (timeZone: string) => string | undefined,
): Promise<OrganizationsByKey> {
  // why: pg would serialize Buffers one by one
  const values = [`{${hashes.map(hash => `"\\\\x${hash}"`).join(',')}}`]
  // why: prepared statements stay on the connection by name; another text needs another name
  const rows = await read({ text, values, name: `organization_by_key_${version}` })
  const found = new Map<KeyHash, Organization | InvalidAccessRow>()
  for (const [hash, ...columns] of rows) {
    const organization = readOrganization(file, columns, timeZoneFault)
    const first = found.get(hash ?? '')
    if (first === undefined) found.set(hash ?? '', organization)
    else {
      // why: a key with rows of two organizations is invalid for both
      const other = JSON.stringify(organization.id)
      const fault = `two rows for one key, the other with ${other}, expected one`
      found.set(hash ?? '', new InvalidAccessRow(file, first.id, fault))
    }
  }
  return found
}
