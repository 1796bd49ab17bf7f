/**
 * Looks up the organizations of key hashes by the access query. It is prepared by name, because every request executes it.
 * Knows no pg.
 */
import type { AccessDefinition } from '../../definitions/definition.ts'
import { idTypeFault } from '../../definitions/id-type.ts'
import type { Organization, RawField } from '../../model/terms.ts'
import type { ReadRows } from '../database/row-query.ts'
import { isOfValue, readBack, readBackFault, readOrganization } from './access-row.ts'
import type { KeyHash } from './api-key.ts'
import { InvalidAccessRow } from './invalid-access-row.ts'
import type { OrganizationsByKey } from './organization-lookup.ts'

/** PostgreSQL's prefix of the hexadecimal format. */
const BYTEA = '\\x'

/** The hash of no key. */
export const NO_KEY: KeyHash = '00'.repeat(32)

/** @returns a function that finds the organizations of the valid keys @throws as `ReadRows` */
export function createOrganizationsByKey(options: {
  /** The access definition in use. */
  readonly access: () => AccessDefinition
  /** The fault of a time zone's name; undefined if none is known. */
  readonly timeZoneFault: (timeZone: string) => string | undefined
}) {
  /** The type of ids, known after the first rows. */
  let ids:
    | { readonly access: AccessDefinition; readonly type: string; readonly at: number }
    | undefined

  /** The rows, each with its id as reports will bind it. */
  async function lookUp(
    read: ReadRows,
    access: AccessDefinition,
    hashes: readonly KeyHash[],
  ): Promise<RawField[][]> {
    const known = ids?.access === access ? ids : undefined
    const text = known
      ? `select *, ${readBack('organization_id', known.type)} from (\n${access.text}\n) as organization`
      : access.text
    // why: prepared statements stay on the connection by name; another text needs another name
    const name = `organization_by_key_${access.version}_${known?.at ?? 0}`
    const query = { text, values: [byteaArray(hashes)], name }
    const rows = await read(query).catch((error: unknown) => {
      if (known !== undefined && isOfValue(error)) return lookUpEach(read, access, hashes)
      throw error
    })
    const type = rows[0]?.[2] ?? ''
    if (type === known?.type || idTypeFault(type) !== undefined) return rows
    ids = { access, type, at: (ids?.at ?? 0) + 1 }
    return lookUp(read, access, hashes)
  }

  /** why: an id that its type refuses must not prevent the look-ups of other organizations */
  async function lookUpEach(
    read: ReadRows,
    access: AccessDefinition,
    hashes: readonly KeyHash[],
  ): Promise<RawField[][]> {
    if (hashes.length > 1)
      return (await Promise.all(hashes.map(hash => lookUp(read, access, [hash])))).flat()
    const rows = await read({ text: access.text, values: [byteaArray(hashes)] })
    return rows.map(row => row.concat(null))
  }

  async function find(read: ReadRows, hashes: readonly KeyHash[]): Promise<OrganizationsByKey> {
    const access = options.access()
    const { file } = access
    const found = new Map<KeyHash, Organization | InvalidAccessRow>()
    let withoutHash: InvalidAccessRow | undefined
    for (const row of await lookUp(read, access, hashes)) {
      const [hash] = row
      const organization = checkedOrganization(file, row)
      const key = hash?.startsWith(BYTEA) ? hash.slice(BYTEA.length) : undefined
      const first = key === undefined ? undefined : found.get(key)
      if (key === undefined) {
        const fault = `key_hash is ${hash == null ? 'null' : 'not bytea'}, expected the SHA-256 hash of a key`
        withoutHash ??= new InvalidAccessRow(file, idOf(organization), fault)
      } else if (first === undefined) found.set(key, organization)
      else {
        // why: a key with rows of two organizations is invalid for both
        const other = JSON.stringify(idOf(organization) ?? null)
        const fault = `two rows for one key, the other with ${other}, expected one`
        found.set(key, new InvalidAccessRow(file, idOf(first), fault))
      }
    }
    // why: a row without a hash may belong to any key that was not found
    if (withoutHash) for (const hash of hashes) if (!found.has(hash)) found.set(hash, withoutHash)
    return found
  }

  /** The columns are in the order of `AccessDefinition.text`. */
  function checkedOrganization(file: string, row: RawField[]): Organization | InvalidAccessRow {
    const [, id = null, idType, timeZone = null, entitled = null] = row
    const name = row.length > NAME_AT + 1 ? row[NAME_AT] : null
    const columns = { id, idType: idType ?? '', timeZone, entitled, name }
    const organization = readOrganization(file, columns)
    if (organization instanceof InvalidAccessRow) return organization
    const fault =
      readBackFault(organization, row.at(-1)) ?? options.timeZoneFault(organization.timeZone)
    return fault === undefined ? organization : new InvalidAccessRow(file, organization.id, fault)
  }

  return find
}

/** Of `organization_name`, if the query selects it. */
const NAME_AT = 5

/** A `bytea[]` literal: pg would serialize the Buffers one by one. */
function byteaArray(hashes: readonly KeyHash[]): string {
  return `{${hashes.map(hash => `"\\\\x${hash}"`).join(',')}}`
}

function idOf(found: Organization | InvalidAccessRow): string | undefined {
  return found instanceof InvalidAccessRow ? found.organizationId : found.id
}
