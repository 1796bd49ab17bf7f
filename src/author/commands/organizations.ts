/** Organizations by id or nickname, for the command line: one query on a connection of its own. */
import type { ClientBase } from 'pg'
import { InvalidAccessRow, isValidRow } from '../../serve/access/invalid-access-row.ts'
import type { OrganizationsDefinition } from '../../definitions/definition.ts'
import type { Clock, Milliseconds, Organization, RawField } from '../../model/terms.ts'
import {
  createOrganizationChecks,
  readOrganization,
} from '../../serve/replica/organization-checks.ts'
import { within } from '../../serve/replica/connection.ts'
import { openSession, RAW_TEXT } from '../../serve/replica/pool.ts'
import type { AskRows, TimeZoneDifference } from '../../serve/replica/time-zone-checks.ts'

export interface NamedOrganization extends Organization {
  readonly nickname: string | undefined
}

interface Row {
  readonly organization_id: string | null
  readonly organization_id_type: string
  readonly nickname: string | null
  readonly time_zone: string | null
}

interface OrganizationsOptions {
  readonly connectionString: string
  readonly timeoutMs: Milliseconds
  readonly definition: OrganizationsDefinition
  readonly now: Clock
}

/**
 * @param name an id or a nickname; all that have a nickname where it is undefined
 * @throws whatever pg or the transport reports.
 */
export async function findOrganizations(
  options: OrganizationsOptions & { readonly name: string | undefined },
): Promise<Array<NamedOrganization | InvalidAccessRow>> {
  const { definition, name } = options
  return (await read(options, definition.text, [name ?? null])).organizations
}

/** What is wrong with the rows of all organizations. @throws as `findOrganizations`. */
export async function findInvalidOrganizations(options: OrganizationsOptions): Promise<{
  readonly invalid: readonly InvalidAccessRow[]
  readonly differences: readonly TimeZoneDifference[]
}> {
  const { file, everyText } = options.definition
  const { organizations, differences } = await read(options, everyText, [])
  const ids = new Set<string>()
  const twice = organizations.flatMap(organization => {
    if (!isValidRow(organization)) return []
    const { id } = organization
    if (!ids.has(id)) return ids.add(id) && []
    return new InvalidAccessRow(file, id, 'two rows, expected one for each organization')
  })
  const invalid = organizations.filter(found => found instanceof InvalidAccessRow)
  return { invalid: [...invalid, ...twice], differences }
}

async function read(
  { connectionString, timeoutMs, definition, now }: OrganizationsOptions,
  text: string,
  values: readonly (string | null)[],
) {
  const { client, close } = await openSession({
    name: 'keys',
    connectionString,
    connectTimeoutMs: timeoutMs,
  })
  try {
    const differences: TimeZoneDifference[] = []
    const checks = createOrganizationChecks({ onDifference: one => differences.push(one), now })
    const asked = { text, values: [...values], types: RAW_TEXT }
    const { rows } = await within(timeoutMs, client, () => client.query<Row>(asked))
    const named = rows.map(row => namedOrganization(definition.file, row))
    const organizations = named.filter(isValidRow)
    const ask: AskRows = (text, values) =>
      within(timeoutMs, client, () => rowsOf(client, text, values))
    await checks.ids.check(organizations, ask)
    const timeZones = checks.timeZones.due(organizations.map(({ timeZone }) => timeZone))
    if (timeZones.length > 0) await checks.timeZones.check(timeZones, ask)
    return {
      organizations: named.map(found => checks.checked(definition.file, found)),
      differences,
    }
  } finally {
    await close()
  }
}

function namedOrganization(file: string, row: Row): NamedOrganization | InvalidAccessRow {
  const found = readOrganization(file, {
    id: row.organization_id,
    idType: row.organization_id_type,
    timeZone: row.time_zone,
    entitled: true,
  })
  if (found instanceof InvalidAccessRow) return found
  return { ...found, nickname: row.nickname ?? undefined }
}

async function rowsOf(
  client: ClientBase,
  text: string,
  values: readonly string[],
): Promise<RawField[][]> {
  const asked = { text, values: [...values], types: RAW_TEXT, rowMode: 'array' as const }
  return (await client.query<RawField[]>(asked)).rows
}
