/** Organizations by id or nickname, for the command line: one query on a connection of its own. */
import type { OrganizationsDefinition } from '../definitions/definition.ts'
import type { Milliseconds, Organization } from '../terms.ts'
import { openSession } from './open-session.ts'
import { RAW_TEXT, within } from './pool.ts'

export interface NamedOrganization extends Organization {
  readonly nickname: string | undefined
}

interface Row {
  readonly organization_id: string
  readonly organization_id_type: string
  readonly nickname: string | null
  readonly time_zone: string
}

/**
 * @param name an id or a nickname; all that have a nickname where it is undefined
 * @throws whatever pg or the transport reports.
 */
export async function findOrganizations(options: {
  readonly connectionString: string
  readonly timeoutMs: Milliseconds
  readonly definition: OrganizationsDefinition
  readonly name: string | undefined
}): Promise<NamedOrganization[]> {
  const { connectionString, timeoutMs, definition, name } = options
  const { client, close } = await openSession({
    name: 'keys',
    connectionString,
    connectTimeoutMs: timeoutMs,
    replicaOnly: false,
  })
  try {
    const asked = { text: definition.text, values: [name ?? null], types: RAW_TEXT }
    const { rows } = await within(timeoutMs, client, () => client.query<Row>(asked))
    return rows.map(row => ({
      id: row.organization_id,
      idType: row.organization_id_type,
      timeZone: row.time_zone,
      entitled: true,
      nickname: row.nickname ?? undefined,
    }))
  } finally {
    await close()
  }
}
