/** Counts rows whose keys lead to several organizations, or to none. */
import type { FileFinding } from '../../definitions/findings.ts'
import type { TableTenancy, Tenancy } from '../../definitions/tenancy.ts'
import { linkConditions, qualified, quoted } from '../../definitions/tenant-rows.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { unlessRefused, type Session } from '../check/session.ts'
import { counted } from '../plans/figures.ts'
import type { Choice } from './proposal.ts'
import { tenancyText } from './proposed-line.ts'

export interface RowCounts {
  /** Otherwise the numbers are unknown. */
  readonly isCounted: boolean
  /** Rows that no organization gets. */
  readonly without: number
  /** For each other way, rows of another organization by it. */
  readonly others: readonly number[]
}

export type Counts = ReadonlyMap<Choice, RowCounts>

/** Of one table, and of all. */
const TABLE_MS: Milliseconds = 5000
const ALL_MS: Milliseconds = 60_000

/** @returns counts of the lines that constraints do not prove */
export async function countCrossingRows(
  choices: readonly Choice[],
  declared: Tenancy['tables'],
  session: Session,
): Promise<Counts> {
  const counts = new Map<Choice, RowCounts>()
  const decided = choices.filter(({ isDecided }) => isDecided).map(({ line }) => line)
  const tables = new Map([...decided.map(line => [line.name, line] as const), ...declared])
  const start = performance.now()
  for (const choice of choices) {
    if (isProven(choice, tables)) continue
    const leftMs = start + ALL_MS - performance.now()
    const text = countQuery(choice, tables)
    const query = { text, values: [], timeoutMs: Math.min(TABLE_MS, Math.ceil(leftMs)) }
    const result = leftMs < 1 ? undefined : await unlessRefused(session.query(query))
    const [without = 0, ...others] = (result?.rows[0] ?? []).map(Number)
    counts.set(choice, { isCounted: result !== undefined, without, others })
  }
  return counts
}

/** Whether each row has one organization by keys and `not null`, or the way to it is not decided. */
function isProven(
  { table, line: { tenancy }, isDecided, others }: Choice,
  tables: Tenancy['tables'],
): boolean {
  if (tenancy.kind === 'shared' || others.length > 0) return others.length === 0
  if (tenancy.kind === 'child') return isDecided || !tables.has(tenancy.parent)
  return table.columns.some(({ name, isNotNull }) => name === tenancy.column && isNotNull)
}

/** @param children with lines of the file */
export async function checkCrossingRows(
  children: readonly Choice[],
  { file, tables }: Tenancy,
  session: Session,
) {
  const counts = [...(await countCrossingRows(children, tables, session))]
  const findings = counts.flatMap(([{ line: child, others }, count]) =>
    count.others.flatMap((rows, at): FileFinding[] => {
      const { name, tenancy, line } = child
      const message = `${counted(rows, 'row')} of ${name} found of one organization by "${tenancyText(tenancy)}" and of another by "${tenancyText(others[at]!)}", expected the same: correct them, or give ${name} a column of the organization`
      return rows > 0 ? [{ file, line, message }] : []
    }),
  )
  const unknown = counts.flatMap(([{ line }, { isCounted }]) => (isCounted ? [] : line.name))
  const unproved = unknown.map(name => `that the parents of each row of ${name} agree`)
  return { findings, unproved }
}

function countQuery({ line, others }: Choice, tables: Tenancy['tables']): string {
  const joins: string[] = []
  const [own = 'null', ...more] = [line.tenancy, ...others].map(tenancy =>
    ownerOf(tenancy, 'own', tables, joins),
  )
  const conditions = [`${own} is null`, ...more.map(other => `${own} <> ${other}`)]
  const columns = conditions.map(condition => `count(*) filter (where ${condition})`)
  return `select ${columns.join(', ')} from ${qualified(line)} as own ${joins.join(' ')}`
}

/** The column with the organization's id, in the last of the joined parents. @param joins receives them */
function ownerOf(
  tenancy: TableTenancy,
  alias: string,
  tables: Tenancy['tables'],
  joins: string[],
): string {
  if (tenancy.kind !== 'child')
    return tenancy.kind === 'tenant' ? `${alias}.${quoted(tenancy.column)}` : 'null'
  const parent = tables.get(tenancy.parent)!
  const above = `above${joins.length}`
  const links = linkConditions(tenancy.links, above, `${alias}.`)
  joins.push(`left join ${qualified(parent)} as ${above} on ${links.join(' and ')}`)
  return ownerOf(parent.tenancy, above, tables, joins)
}
