/** What is wrong with organizations, as far as a database can tell. Knows no key. */
import { InvalidAccessRow } from '../access/invalid-access-row.ts'
import type { Clock, Organization } from '../terms.ts'
import type { AskRows } from './ask-rows.ts'
import { createIdRoundTrips } from './id-round-trips.ts'
import { createTimeZoneChecks } from './time-zone-checks.ts'
import type { TimeZoneDifference } from './time-zone-checks.ts'

/** A row as the access query, or that of organizations, gives it. */
export interface AccessRow {
  readonly id: string | null
  readonly idType: string
  readonly timeZone: string | null
  readonly entitled: boolean
}

/** @param file that messages name @throws what `ask` throws. */
export type CheckOrganizations = (
  file: string,
  organizations: readonly Organization[],
  ask: AskRows,
) => Promise<(organization: Organization) => InvalidAccessRow | undefined>

export function createAccessRowChecks(options: {
  readonly onDifference: (difference: TimeZoneDifference) => void
  readonly now: Clock
}): CheckOrganizations {
  const faultsOfIds = createIdRoundTrips()
  const faultsOfTimeZones = createTimeZoneChecks(options)
  return async (file, organizations, ask) => {
    const ofId = await faultsOfIds(organizations, ask)
    const timeZones = organizations.map(({ timeZone }) => timeZone)
    const ofTimeZone = await faultsOfTimeZones(timeZones, ask)
    return organization => {
      const fault = ofId(organization) ?? ofTimeZone(organization.timeZone)
      return fault === undefined ? undefined : new InvalidAccessRow(file, organization.id, fault)
    }
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
