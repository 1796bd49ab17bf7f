/** Rows of the access query, and of the query of organizations. */
import { ID_TYPES } from '../../model/terms.ts'
import type { IdType, Organization, RawField } from '../../model/terms.ts'
import { InvalidAccessRow } from './invalid-access-row.ts'

/** @param found as `pg_typeof` prints it */
export function isIdType(found: RawField | undefined): found is IdType {
  return ID_TYPES.some(type => type === found)
}

/** Why ids of another type are rejected. */
export function idTypeFault(found: RawField | undefined): string {
  return `organization_id is of the type ${found}, expected ${ID_TYPES.join(', ')}: cast it in the query, such as organization_id::uuid`
}

/** Characters: the name is a part of every cache key of its organization. */
const MAX_NAME = 200

/**
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
  if (!isIdType(idType)) return new InvalidAccessRow(file, id, idTypeFault(idType))
  const fault =
    timeZone == null ? 'time_zone is null, expected an IANA name' : timeZoneFault(timeZone)
  if (fault !== undefined) return new InvalidAccessRow(file, id, fault)
  const organization = { id, idType, timeZone: timeZone!, entitled: entitled === 't' }
  const shownName = name?.trim().slice(0, MAX_NAME)
  return shownName ? { ...organization, name: shownName } : organization
}
