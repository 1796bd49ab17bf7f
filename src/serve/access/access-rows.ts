/** Organizations of key hashes, read from the rows of the access query, some of which are not valid. Knows no pg. */
import { LRUCache } from 'lru-cache'
import type { AccessDefinition } from '../../definitions/definition.ts'
import { idTypeFault } from '../../definitions/statement.ts'
import type { Organization, RawField, Clock, Milliseconds } from '../../model/terms.ts'
import type { ReadRows } from '../database/connection.ts'
import type { KeyHash } from './api-key.ts'
import type { Observe } from '../../model/observation.ts'

export class InvalidAccessRow extends Error {
  override readonly name = 'InvalidAccessRow'
  /** The file of the query, as in messages. */
  readonly file: string
  /** The organization's; undefined if the row has none. */
  readonly id: string | undefined
  /** The invalid value and the expected one. */
  readonly found: string
  /** Such as `organization "1"`. */
  readonly subject: string

  constructor(file: string, id: string | undefined, found: string) {
    const subject = id === undefined ? 'an organization' : `organization ${JSON.stringify(id)}`
    super(`${file}: ${subject}: ${found}`)
    this.subject = subject
    this.file = file
    this.id = id
    this.found = found
  }

  get finding() {
    return { file: this.file, line: undefined, message: `${this.subject}: ${this.found}` }
  }
}

const RECENT_MS: Milliseconds = 60_000
/** More organizations are neither reported nor counted. */
const MAX_ORGANIZATIONS = 100

export type InvalidAccessRows = ReturnType<typeof createInvalidAccessRows>

/** Reports each organization with an invalid row once a minute. */
export function createInvalidAccessRows(observe: Observe, now: Clock) {
  const recent = new LRUCache<string, true>({
    max: MAX_ORGANIZATIONS,
    ttl: RECENT_MS,
    ttlResolution: 0,
    perf: { now },
  })
  return {
    note(row: InvalidAccessRow): void {
      const { subject, id } = row
      if (recent.has(subject) || this.count() === MAX_ORGANIZATIONS) return
      recent.set(subject, true)
      observe({ kind: 'access-row-rejected', organizationId: id, error: row })
    },
    /** Organizations reported in the last minute. */
    count(): number {
      recent.purgeStale()
      return recent.size
    },
  }
}

/** Contains only valid keys. */
export type OrganizationsByKey = ReadonlyMap<KeyHash, Organization | InvalidAccessRow>

/** The hash of no key. */
export const HASH_OF_NO_KEY: KeyHash = '00'.repeat(32)

/** @param timeZoneFault as of `readOrganization` @throws as `ReadRows` */
export function organizationsByKey(
  read: ReadRows,
  { file, text, version }: AccessDefinition,
  hashes: readonly KeyHash[],
  timeZoneFault: (timeZone: string) => string | undefined,
): Promise<OrganizationsByKey> {
  // why: pg would serialize Buffers one by one
  const values = [`{${hashes.map(hash => `"\\\\x${hash}"`).join(',')}}`]
  // why: prepared statements stay on the connection by name; another text needs another name
  return read({ text, values, name: `organization_by_key_${version}` }).then(rows => {
    const found = new Map<KeyHash, Organization | InvalidAccessRow>()
    for (const [hash, ...columns] of rows) {
      const organization = readOrganization(file, columns, timeZoneFault)
      const first = found.get(hash ?? '')
      if (first === undefined) found.set(hash ?? '', organization)
      else {
        // why: a key with rows of two organizations is invalid for both
        const fault = `two rows for one key, the other with ${JSON.stringify(organization.id)}, expected one`
        found.set(hash ?? '', new InvalidAccessRow(file, first.id, fault))
      }
    }
    return found
  })
}

/** Characters: the name is a part of every cache key of its organization. */
const MAX_NAME = 200

/**
 * Reads a row of the access query, or of the query of organizations.
 * @param file for messages
 * @param row the columns of `AccessDefinition.text` after the hash
 * @param timeZoneFault why a text is no time zone; undefined if it is one
 */
export function readOrganization(
  file: string,
  [id, idType, timeZone, entitled, name]: ReadonlyArray<RawField | undefined>,
  timeZoneFault: (timeZone: string) => string | undefined,
): Organization | InvalidAccessRow {
  if (id == null)
    return new InvalidAccessRow(file, undefined, 'organization_id is null, expected an id')
  const zoneFault =
    timeZone == null ? 'time_zone is null, expected an IANA name' : timeZoneFault(timeZone)
  // why: a line feed separates it from others in keys of responses
  const idFault = /\p{Cc}/u.test(id)
    ? 'organization_id has a control character, expected none'
    : undefined
  const fault = idTypeFault(idType!) ?? idFault ?? zoneFault
  if (fault !== undefined) return new InvalidAccessRow(file, id, fault)
  return {
    id,
    idType: idType!,
    timeZone: timeZone!,
    entitled: entitled === 't',
    name: name?.trim().slice(0, MAX_NAME) || undefined,
  }
}
