/** Rows of the access query, and of the query of organizations. */
import { idTypeFault } from '../../definitions/id-type.ts'
import type { Organization, RawField } from '../../model/terms.ts'
import { InvalidAccessRow } from './invalid-access-row.ts'

interface AccessRow {
  readonly id: string | null
  readonly idType: string
  readonly timeZone: string | null
  /** `t`, `f` or null. */
  readonly entitled: string | null
  /** Null or undefined if the query does not select it. */
  readonly name?: string | null | undefined
}

/** Characters: the name is a part of every cache key of its organization. */
const MAX_NAME = 200

/** Checks a row without a database. @param file for messages */
export function readOrganization(file: string, row: AccessRow): Organization | InvalidAccessRow {
  const { id, idType, timeZone, entitled } = row
  if (id === null)
    return new InvalidAccessRow(file, undefined, 'organization_id is null, expected an id')
  const typeFault = idTypeFault(idType)
  if (typeFault !== undefined)
    return new InvalidAccessRow(file, id, `organization_id: ${typeFault}`)
  if (timeZone === null)
    return new InvalidAccessRow(file, id, 'time_zone is null, expected an IANA name')
  if (entitled !== null && entitled !== 't' && entitled !== 'f')
    return new InvalidAccessRow(
      file,
      id,
      `entitled is ${JSON.stringify(entitled)}, expected a boolean`,
    )
  const organization = { id, idType, timeZone, entitled: entitled === 't' }
  const name = row.name?.trim().slice(0, MAX_NAME)
  return name ? { ...organization, name } : organization
}

/** SQL of an id as it is after a cast of its text to its type: reports bind text. */
export function readBack(id: string, idType: string): string {
  return `(${id}::${idType})::text`
}

/** Why reports would not find the organization's own rows; undefined if they do. */
export function readBackFault(
  { id, idType }: Pick<Organization, 'id' | 'idType'>,
  found: RawField | undefined,
): string | undefined {
  if (found === id) return undefined
  return `organization_id: ${JSON.stringify(id)}::${idType}::text is ${JSON.stringify(found)}, expected the same text`
}

/** SQLSTATE classes 22 and 23: a type rejects a value. */
export function isOfValue(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^2[23]/.test(code)
}
