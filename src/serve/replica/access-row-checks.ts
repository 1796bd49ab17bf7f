/** What is wrong with organizations, as far as a database can tell. Knows no key. */
import { InvalidAccessRow } from '../access/invalid-access-row.ts'
import type { Clock, Organization } from '../../model/terms.ts'
import { createIdRoundTrips } from './id-round-trips.ts'
import type { IdRoundTrips } from './id-round-trips.ts'
import { createTimeZoneChecks } from './time-zone-checks.ts'
import type { TimeZoneChecks, TimeZoneDifference } from './time-zone-checks.ts'

/** A row as the access query, or that of organizations, gives it. */
export interface AccessRow {
  readonly id: string | null
  readonly idType: string
  readonly timeZone: string | null
  readonly entitled: boolean
}

export interface AccessRowChecks {
  readonly ids: IdRoundTrips
  readonly timeZones: TimeZoneChecks
  /** What is wrong with an organization, as far as was checked. @param file that messages name */
  readonly faultOf: (file: string, organization: Organization) => InvalidAccessRow | undefined
}

export function createAccessRowChecks(options: {
  readonly onDifference: (difference: TimeZoneDifference) => void
  readonly now: Clock
}): AccessRowChecks {
  const ids = createIdRoundTrips()
  const timeZones = createTimeZoneChecks(options)
  return {
    ids,
    timeZones,
    faultOf(file, organization) {
      const fault = ids.faultOf(organization) ?? timeZones.faultOf(organization.timeZone)
      return fault === undefined ? undefined : new InvalidAccessRow(file, organization.id, fault)
    },
  }
}

/** What a row says without a database. */
export function organizationOf(file: string, row: AccessRow): Organization | InvalidAccessRow {
  const { id, timeZone } = row
  if (id === null)
    return new InvalidAccessRow(file, undefined, 'organization_id is null, expected an id')
  if (timeZone === null)
    return new InvalidAccessRow(file, id, 'time_zone is null, expected an IANA name')
  return { ...row, id, timeZone }
}
