/** Finds the table for a new definition: one with an organization column and a date, in the replica's catalog. */
import { readToCheck } from '../check/check.ts'
import { productTables, type ProductTable } from '../check/product-tables.ts'
import { withSnapshot } from '../check/session.ts'
import { readCatalogTables, type CatalogTable } from '../sql/catalog-tables.ts'
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
  const { tenancy } = await withSqlParser(parse => readToCheck(config.sqlDir, parse))
  return withSession(config, client =>
    withSnapshot(client, async session => {
      const all = await readCatalogTables(text => session.rows(text))
      const tables = productTables(tenancy, all)
      const [found] = name === undefined ? tables.flatMap(ifSuitable) : [tableNamed(name, tables)]
      if (found === undefined) return undefined
      const names = [found.table.declared.name, found.organizationColumn, found.date.name]
      const rows = await session.rows<{ name: string }>(
        'select quote_ident(name) as name from unnest($1::text[]) with ordinality as names (name, at) order by at',
        [names],
      )
      const [quoted, organizationColumn, dateColumn] = rows.map(row => row.name)
      return {
        name: quoted!,
        organizationColumn: organizationColumn!,
        dateColumn: dateColumn!,
        dateType: found.date.type === 'date' ? 'date' : 'instant',
      }
    }),
  )
}

function ifSuitable(table: ProductTable) {
  const date = dateOf(table)
  const { declared, primaryKey } = table
  // why: the table of organizations itself is not worth a report: it has one row for each
  if (date === undefined || declared.tenancy.kind !== 'tenant') return []
  const organizationColumn = declared.tenancy.column
  return primaryKey.join() === organizationColumn ? [] : [{ table, organizationColumn, date }]
}

function tableNamed(written: string, tables: readonly ProductTable[]) {
  const table = tables.find(({ declared }) => declared.name === written)
  const tenancy = table?.declared.tenancy
  const unsuitable = (found: string) =>
    new CommandError(EXIT.usage, `--table ${written}: ${found}.`)
  if (table === undefined || tenancy === undefined) {
    throw unsuitable('tenancy.yaml has no such table, or the reports role sees none')
  }
  if (tenancy.kind === 'child') {
    const { parent } = tenancy
    throw unsuitable(`its organization is in ${parent}, expected that table; join this one to it`)
  }
  if (tenancy.kind !== 'tenant') throw unsuitable('it is shared by all organizations')
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
