/** Finds organizations by id or nickname, for the command line: one query on a separate connection. */
import type { Config } from '../../config/config.ts'
import type { OrganizationsDefinition } from '../../definitions/definition.ts'
import { DefinitionErrors } from '../../definitions/findings.ts'
import type { Organization, RawField } from '../../model/terms.ts'
import { InvalidAccessRow, isValidRow } from '../../serve/access/invalid-access-row.ts'
import { checkAccessColumns, findingOfError } from '../../serve/start/access-columns.ts'
import { within } from '../../serve/database/connection.ts'
import {
  isOfValue,
  readBack,
  readBackFault,
  readOrganization,
} from '../../serve/access/access-row.ts'
import type { ReadRows } from '../../serve/database/row-query.ts'
import { RAW_TEXT } from '../../serve/database/pool.ts'
import { createTimeZones, textArray } from '../../serve/start/time-zones.ts'
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
    const zones = createTimeZones()
    for (const { timeZone } of valid) zones.faultOf(timeZone)
    const differences = await zones.compare(query, Date.now())
    const ids = await idsReadBack(valid, query)
    const rows = named.map(row => {
      if (!isValidRow(row)) return row
      const fault = readBackFault(row, ids.get(row.id)) ?? zones.faultOf(row.timeZone)
      return fault === undefined ? row : new InvalidAccessRow(file, row.id, fault)
    })
    return { rows, differences, columns }
  })
}

/** Each id as reports will bind it; none for one that its type refuses. */
async function idsReadBack(
  organizations: readonly Organization[],
  query: ReadRows,
): Promise<Map<string, RawField | undefined>> {
  const idType = organizations[0]?.idType
  if (idType === undefined) return new Map()
  const ids = organizations.map(({ id }) => id)
  const text = `select id, ${readBack('id', idType)} from unnest($1::text[]) as id`
  try {
    const rows = await query({ text, values: [textArray(ids)] })
    return new Map(rows.map(([id, found]) => [id ?? '', found]))
  } catch (error) {
    if (!isOfValue(error)) throw error
    if (organizations.length === 1) return new Map()
    const found = new Map<string, RawField | undefined>()
    for (const one of organizations)
      for (const [id, read] of await idsReadBack([one], query)) found.set(id, read)
    return found
  }
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
