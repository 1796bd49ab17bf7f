/** Finds the table for a new definition: the first one with a date, or the one that is named. */
import type { DeclaredTable } from '../../definitions/tenancy.ts'
import { quoted } from '../../definitions/tenant-rows.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { plainType, tableKey, type CatalogTable } from '../sql/catalog-tables.ts'
import type { Choice } from '../tenancy/proposal.ts'
import { proposedText, type ProposedTenancy } from '../tenancy/proposed-file.ts'
import { lineText } from '../tenancy/proposed-line.ts'

/** SQL identifiers, quoted if necessary. */
export interface StartingTable {
  readonly name: string
  readonly dateColumn: string
  /** SQL of its day in the organization. */
  readonly day: string
  /** Whether it is compared with instants. */
  readonly isInstant: boolean
  readonly isShared: boolean
}

export interface Start {
  /** Undefined for names to fill in. */
  readonly table: StartingTable | undefined
  /** `tenancy.yaml` with its line; undefined if that is unchanged. */
  readonly tenancyText: string | undefined
}

/**
 * @param written undefined for the first table of organizations
 * @returns undefined if none is suitable
 * @throws CommandError if the named table is not suitable
 */
export function findStartingTable(
  proposed: ProposedTenancy,
  written: string | undefined,
): Start | undefined {
  const { catalog, choices, declared } = proposed
  const byKey = new Map(catalog.map(table => [tableKey(table), table]))
  const decided = choices.filter(({ isDecided }) => isDecided).map(({ line }) => line)
  const lines = [...declared.values(), ...decided]
  const tableOf = (line: DeclaredTable) => byKey.get(tableKey({ ...line, name: line.table }))
  if (written === undefined) {
    // why: the table of organizations has one row for each, which is not worth a report
    const line = lines.find(one => isOfOrganizations(one, tableOf(one)))
    return line && startOf(line, dateOf(line, tableOf(line))!, proposed)
  }
  const isNamed = ({ name, schema, table }: DeclaredTable) =>
    name === written || `${schema}.${table}` === written
  const line = lines.find(isNamed)
  const open = choices.find(choice => isNamed(choice.line))
  const date = line && dateOf(line, tableOf(line))
  if (line !== undefined && date !== undefined) return startOf(line, date, proposed)
  const found =
    line !== undefined
      ? 'no column has a date, expected a date or a timestamp'
      : open === undefined
        ? 'the reports role sees no such table, expected one that it may read'
        : `whose rows they are is not decided (${open.reason}), expected its line in tenancy.yaml, as "${lineText(open.line)}"`
  throw new CommandError(EXIT.usage, `--table ${written}: ${found}.`)
}

function isOfOrganizations(line: DeclaredTable, table: CatalogTable | undefined): boolean {
  const { tenancy } = line
  const key = tenancy.kind === 'tenant' ? tenancy.column : undefined
  const isOwned = tenancy.kind !== 'shared' && table?.primaryKey.join() !== key
  return isOwned && dateOf(line, table) !== undefined
}

/** By type, SQL of the day that a column has in the organization: sessions are in UTC, so a timestamp holds it. */
const DAY_OF: Readonly<Record<string, string>> = {
  date: '',
  'timestamp with time zone': ' at time zone :time_zone',
  'timestamp without time zone': " at time zone 'UTC' at time zone :time_zone",
}

/** Its first date, or else its first instant. */
function dateOf({ columns: names }: DeclaredTable, table: CatalogTable | undefined) {
  const columns = table?.columns.filter(({ name }) => names?.includes(name) ?? true) ?? []
  return (
    columns.find(({ type }) => type === 'date') ??
    columns.find(({ type }) => plainType(type) in DAY_OF)
  )
}

function startOf(
  line: DeclaredTable,
  date: CatalogTable['columns'][number],
  proposed: ProposedTenancy,
): Start {
  const name = quoted(line.name)
  const table: StartingTable = {
    name,
    dateColumn: quoted(date.name),
    day: `${name}.${quoted(date.name)}${DAY_OF[plainType(date.type)]}`,
    isInstant: date.type !== 'date',
    isShared: line.tenancy.kind === 'shared',
  }
  return { table, tenancyText: textWith(line, proposed) }
}

/** An existing file with lines of the table and its parents, or else the whole proposal. */
function textWith(line: DeclaredTable, proposed: ProposedTenancy): string | undefined {
  if (proposed.text === undefined) return proposedText(proposed)
  const ofName = (name: string) =>
    proposed.choices.filter(one => one.isDecided && one.line.name === name)
  const choices: Choice[] = []
  for (let added = ofName(line.name); added.length > 0;) {
    choices.push(...added)
    const { tenancy } = added[0]!.line
    added = tenancy.kind === 'child' ? ofName(tenancy.parent) : []
  }
  return choices.length === 0 ? undefined : proposedText({ ...proposed, choices })
}
