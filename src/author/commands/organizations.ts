/** Finds organizations by id or nickname, for the command line: one query on a separate connection. */
import type { Config } from '../../config/config.ts'
import type { OrganizationsDefinition } from '../../definitions/access-definition.ts'
import { DefinitionErrors } from '../../definitions/findings.ts'
import type { Organization } from '../../model/terms.ts'
import { readOrganization, InvalidAccessRow } from '../../serve/access/access-rows.ts'
import { checkAccessColumns, findingOfError } from '../../serve/start/access-check.ts'
import { createTimeZones } from '../../serve/access/access-rows.ts'
import { withKeySession } from './session.ts'

export interface NamedOrganization extends Organization {
  readonly nickname: string | undefined
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
  return withKeySession(config, async query => {
    const { columns, findings } = await checkAccessColumns(definition, query)
    if (findings.length > 0) throw new DefinitionErrors(findings)
    const found = await query(rowsQuery).catch((error: unknown) => {
      throw new DefinitionErrors([findingOfError(definition, error, 'a row of each organization')])
    })
    const zones = createTimeZones()
    const readAll = () =>
      found.map(
        ([id, idType, timeZone, nickname, currency]): NamedOrganization | InvalidAccessRow => {
          const columns = [id, idType, timeZone, 't', null, currency]
          const row = readOrganization(file, columns, zones.faultOf)
          return isValidRow(row) ? Object.assign(row, { nickname: nickname ?? undefined }) : row
        },
      )
    // why: PostgreSQL is asked for the zones that were read before
    readAll()
    const differences = await zones.compare(query, Date.now())
    return { rows: readAll(), differences, columns }
  })
}

export function isValidRow<Row extends object>(row: Row | InvalidAccessRow): row is Row {
  return !(row instanceof InvalidAccessRow)
}
