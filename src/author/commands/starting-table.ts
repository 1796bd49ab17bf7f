/** What a new definition counts: the rows of a table of the database, by its first date. */
import { parseTenancy, TENANCY_FILE } from '../../definitions/tenancy.ts'
import { quoted } from '../../definitions/tenant-rows.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { createFindTable, plainType } from '../sql/catalog-tables.ts'
import { MARKS } from '../check/rules/deleted-rows.ts'
import { tableOf } from '../tenancy/catalog-faults.ts'
import { HEAD, proposedText } from '../tenancy/proposed-file.ts'
import { withProposal } from './tenancy.ts'
import { withDatabases } from './databases.ts'

/** Tokens of the templates. */
export type Start = typeof NAMES_TO_FILL_IN

/** Used without a table. */
export const NAMES_TO_FILL_IN = {
  table: 'your_table',
  /** SQL of its date or instant. */
  column: 'your_table.created_on',
  /** SQL of its day in the organization. */
  day: 'your_table.created_on',
  /** The ending of the placeholders that it is compared with. */
  at: '',
  shared: '',
  note: '-- Fill in the names of your table and column: your_table, also in tenancy.yaml, and created_on (a date).\n',
  /** `tenancy.yaml`, if there is none. */
  tenancyText: `${HEAD}your_table: organization_id\n`,
}

/** By type, SQL of the day that a column has in the organization: sessions are in UTC, so a timestamp holds it. */
const DAY_OF: Readonly<Record<string, string>> = {
  date: '',
  'timestamp with time zone': ' at time zone :time_zone',
  'timestamp without time zone': " at time zone 'UTC' at time zone :time_zone",
}

/** @throws CommandError without a database, or if the table is not suitable */
export function findStart(written: string, environment: NodeJS.ProcessEnv): Promise<Start> {
  return withDatabases(environment, {}, config =>
    withProposal(config, async proposed => {
      const tenancyText = proposed.text ?? proposedText(proposed)
      const { tenancy } = parseTenancy(tenancyText, TENANCY_FILE)
      const line = [...(tenancy?.tables.values() ?? [])].find(
        ({ name, schema, table }) => name === written || `${schema}.${table}` === written,
      )
      if (line === undefined)
        throw refusal(
          written,
          `${TENANCY_FILE} has no such line, expected one, as svodka tenancy proposes it`,
        )
      const columns = tableOf(line, createFindTable(proposed.catalog))?.columns ?? []
      const dated = columns.filter(
        ({ name, type }) =>
          (line.columns?.includes(name) ?? true) && plainType(type) in DAY_OF && !MARKS.test(name),
      )
      const date = dated.find(({ type }) => type === 'date') ?? dated[0]
      if (date === undefined)
        throw refusal(written, 'no column has a date, expected a date or a timestamp')
      const column = `${quoted(line.name)}.${quoted(date.name)}`
      return {
        table: quoted(line.name),
        column,
        day: `${column}${DAY_OF[plainType(date.type)]}`,
        at: date.type === 'date' ? '' : '_at',
        shared: line.tenancy.kind === 'shared' ? '\nshared: true' : '',
        note: '',
        tenancyText,
      }
    }),
  )
}

function refusal(table: string, found: string): CommandError {
  return new CommandError(EXIT.usage, `--table ${table}: ${found}.`)
}
