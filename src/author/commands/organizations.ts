/** Finds organizations by id or nickname, for the command line: one query on a separate connection. */
import type { Config } from '../../config/config.ts'
import type { OrganizationsDefinition } from '../../definitions/definition.ts'
import { DefinitionErrors } from '../../definitions/findings.ts'
import { monotonicClock } from '../../model/clock.ts'
import type { Organization } from '../../model/terms.ts'
import { InvalidAccessRow, isValidRow } from '../../serve/access/invalid-access-row.ts'
import { checkAccessColumns, findingOfError } from '../../serve/database/access-columns.ts'
import { within } from '../../serve/database/connection.ts'
import {
  createOrganizationChecks,
  readOrganization,
} from '../../serve/database/organization-checks.ts'
import { RAW_TEXT } from '../../serve/database/pool.ts'
import type { TimeZoneDifference } from '../../serve/database/time-zone-checks.ts'
import { QUERY_TIMEOUT_MS, withKeySession } from './session.ts'

export interface NamedOrganization extends Organization {
  readonly nickname: string | undefined
}

interface Row {
  readonly organization_id: string | null
  readonly organization_id_type: string
  readonly nickname: string | null
  readonly time_zone: string | null
}

export type OrganizationList = Awaited<ReturnType<typeof findOrganizations>>

/**
 * @param which an id or a nickname, those that have a nickname, or all
 * @throws CommandError if the database is unavailable; DefinitionErrors if the file selects wrong columns.
 */
export function findOrganizations(
  config: Pick<Config, 'keysDatabaseUrls' | 'connectTimeoutMs'>,
  definition: OrganizationsDefinition,
  which: { readonly name: string } | 'nicknamed' | 'all',
) {
  const { file, text, everyText } = definition
  const name = typeof which === 'string' ? null : which.name
  const rowsQuery = which === 'all' ? { text: everyText } : { text, values: [name] }
  return withKeySession(config, async (query, client) => {
    const { columns, findings } = await checkAccessColumns(definition, query)
    if (findings.length > 0) throw new DefinitionErrors(findings)
    const querying = within(QUERY_TIMEOUT_MS, client, () =>
      client.query<Row>({ ...rowsQuery, types: RAW_TEXT }),
    )
    const result = await querying.catch((error: unknown) => {
      throw new DefinitionErrors([findingOfError(definition, error, 'a row of each organization')])
    })
    const named = result.rows.map(row => namedOrganization(file, row))
    const valid = named.filter(isValidRow)
    const differences: TimeZoneDifference[] = []
    const onDifference = (difference: TimeZoneDifference): number => differences.push(difference)
    const checks = createOrganizationChecks({ onDifference, now: monotonicClock })
    const queryRows = (text: string, values: readonly string[]) => query({ text, values })
    await checks.ids.check(valid, queryRows)
    const timeZones = checks.timeZones.due(valid.map(({ timeZone }) => timeZone))
    if (timeZones.length > 0) await checks.timeZones.check(timeZones, queryRows)
    return { rows: named.map(row => checks.checked(file, row)), differences, columns }
  })
}

function namedOrganization(file: string, row: Row): NamedOrganization | InvalidAccessRow {
  const organization = readOrganization(file, {
    id: row.organization_id,
    idType: row.organization_id_type,
    timeZone: row.time_zone,
    entitled: 't',
  })
  if (organization instanceof InvalidAccessRow) return organization
  return { ...organization, nickname: row.nickname ?? undefined }
}
