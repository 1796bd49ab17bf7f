/** Rows of the access query, and of the query of organizations. */
import { idTypeFault } from '../../definitions/id-type.ts'
import type { Organization, RawField } from '../../model/terms.ts'
import { InvalidAccessRow } from './invalid-access-row.ts'

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
  const zoneFault =
    timeZone == null ? 'time_zone is null, expected an IANA name' : timeZoneFault(timeZone)
  const fault = idTypeFault(idType!) ?? zoneFault
  if (fault !== undefined) return new InvalidAccessRow(file, id, fault)
  const organization = { id, idType: idType!, timeZone: timeZone!, entitled: entitled === 't' }
  const shownName = name?.trim().slice(0, MAX_NAME)
  return shownName ? { ...organization, name: shownName } : organization
}
