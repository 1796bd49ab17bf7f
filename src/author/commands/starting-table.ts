/** Finds the table for a new definition: one with an organization column and a date, in the replica's catalog. */
import { readToCheck } from '../check/check.ts'
import { readProductFunctions } from '../check/product-functions.ts'
import type { ProductTable } from '../check/product-tables.ts'
import { withSnapshot } from '../check/session.ts'
import { readCatalogTables, type CatalogTable } from '../sql/catalog-tables.ts'
import { tenanciesOfDatabase } from '../tenancy/database-tenancies.ts'
import { tablesWithOrganizationRows } from '../tenancy/organization-rows.ts'
import type { Tenancies } from '../tenancy/tenancy.ts'
import type { Config } from '../../config/config.ts'
import { withSqlParser } from '../../definitions/sql/sql-parser.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import { withSession } from './session.ts'

/** SQL identifiers, quoted if necessary. */
export interface StartingTable {
  readonly name: string
  /** Contains the organization's id. */
  readonly organizationColumn: string
  readonly dateColumn: string
  readonly dateType: 'date' | 'instant'
}

/**
 * @param name undefined for the first suitable table
 * @returns undefined if none is suitable
 * @throws CommandError if the database is unavailable, or the named table is not suitable
 */
export async function findStartingTable(
  config: Config,
  name: string | undefined,
): Promise<StartingTable | undefined> {
  const { hints } = await withSqlParser(parse => readToCheck(config.sqlDir, parse))
  return withSession(config, client =>
    withSnapshot(client, async session => {
      const all = await readCatalogTables(text => session.rows(text))
      const tenancies = tenanciesOfDatabase(all, await readProductFunctions(session), hints)
      const [found] =
        name === undefined
          ? tablesWithOrganizationRows(all, tenancies).flatMap(ifSuitable)
          : [tableNamed(name, tenancies)]
      if (found === undefined) return undefined
      const { schema, name: table, isVisible } = found.table
      const names = [schema, table, found.organizationColumn, found.date.name]
      const rows = await session.rows<{ name: string }>(
        'select quote_ident(name) as name from unnest($1::text[]) with ordinality as names (name, at) order by at',
        [names],
      )
      const [inSchema, quoted, organizationColumn, dateColumn] = rows.map(row => row.name)
      return {
        name: isVisible ? quoted! : `${inSchema}.${quoted}`,
        organizationColumn: organizationColumn!,
        dateColumn: dateColumn!,
        dateType: found.date.type === 'date' ? 'date' : 'instant',
      }
    }),
  )
}

function ifSuitable(table: ProductTable) {
  const date = dateOf(table)
  const { organizationColumn, primaryKey } = table
  // why: the table of organizations itself is not worth a report: it has one row for each
  if (date === undefined || organizationColumn === undefined) return []
  return primaryKey.join() === organizationColumn ? [] : [{ table, organizationColumn, date }]
}

function tableNamed(written: string, tenancies: Tenancies) {
  const [name, schema] = written.split('.').toReversed()
  const { table, tenancy } = tenancies.of({ name, schema }) ?? {}
  const unsuitable = (found: string) =>
    new CommandError(EXIT.usage, `--table ${written}: ${found}.`)
  if (table === undefined || tenancy === undefined) {
    throw unsuitable('the reports role sees no such table, expected one that it may read')
  }
  if (tenancy.kind === 'child') {
    const { parent = '' } = tenancy.links[0] ?? {}
    throw unsuitable(`its organization is in ${parent}, expected that table; join this one to it`)
  }
  if (tenancy.kind !== 'tenant') {
    const line = `${written}: organization_id`
    throw unsuitable(
      `no column is known to contain the organization's id, expected one, or a line such as "${line}" in tenancy.yaml`,
    )
  }
  const date = dateOf(table)
  if (date === undefined) throw unsuitable('no column has a date, expected a date or a timestamptz')
  return { table, organizationColumn: tenancy.column, date }
}

/** Its first date, or else its first instant. */
function dateOf({ columns }: CatalogTable) {
  return (
    columns.find(({ type }) => type === 'date') ??
    columns.find(({ type }) => type === 'timestamp with time zone')
  )
}
