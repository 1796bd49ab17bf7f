/**
 * Changes every column of every table that a report or its fingerprint reads, in rows of the period and at its edges,
 * deletes and copies rows, and finds changes of months' rows without a change of their fingerprints.
 */
import { escapeIdentifier, type Client } from 'pg'
import { everySelect, readQuery } from '../../src/author/sql/query.ts'
import { monthsOf } from '../../src/definitions/calendar.ts'
import { PLACEHOLDERS, type ReportDefinition } from '../../src/definitions/definition.ts'
import type { Period } from '../../src/model/terms.ts'
import { monthContents } from '../../src/serve/body/load-fingerprint.ts'
import { parseSql } from '../harness/parse-sql.ts'
import type { Asked } from './comparison.ts'
import { runFingerprint, runReport } from './run.ts'

/** Rows of a table without dates, which may not be referenced in the period; others have their first and last by date. */
const ROWS = { undated: 10, dated: 2 }
/** Months of a period that are compared. */
const MONTHS = 3

interface TableColumn {
  readonly name: string
  readonly type: string
  /** Values that check constraints name. */
  readonly values: readonly string[]
}

export interface Mutations {
  /** `operations.amount_kopecks: ...`, one for each column, deletion or copy that was missed. */
  readonly missed: readonly string[]
  /** `operations.amount_kopecks`: changes of it that changed the rows of a month. */
  readonly effective: ReadonlySet<string>
}

/** The tables of a report and of its fingerprint. */
export async function tablesOf({
  source,
  code,
}: Pick<ReportDefinition, 'source' | 'code'>): Promise<string[]> {
  const { fingerprint: text = '' } = source.matter
  const sources = [{ text: source.text, from: source.sqlStart }, { text }]
  const names = new Set<string>()
  for (const one of sources) {
    const { statements } = await parseSql({ ...one, placeholders: PLACEHOLDERS })
    const query = readQuery(statements[0]?.tree)
    if (query === undefined) throw new Error(`${code}: found no select`)
    for (const { relations } of everySelect(query)) {
      for (const { kind, name } of relations) if (kind === 'table' && name) names.add(name)
    }
  }
  return [...names].toSorted()
}

async function columnsOf(client: Client, table: string): Promise<TableColumn[]> {
  const { rows } = await client.query<TableColumn>(
    `select
        attname as name,
        format_type(atttypid, null) as type,
        array(
            select distinct quoted[1]
            from pg_constraint,
                regexp_matches(pg_get_constraintdef(pg_constraint.oid), '''([a-z_]+)''', 'g') as quoted
            where conrelid = attrelid and contype = 'c' and conkey = array[attnum]
        ) as values
    from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'organization_id'`,
    [table],
  )
  return rows
}

/** SQL expressions of other values of a column. */
function changesOf({ name, type, values }: TableColumn, { start, end }: Period): string[] {
  const column = escapeIdentifier(name)
  const edges = [start, end].flatMap(day => [`date '${day}'`, `date '${day}' - 1`])
  if (values.length > 0) return values.map(value => `'${value}'`)
  if (type === 'date') return ['null', `${column} + 1`, `${column} - 40`, ...edges]
  if (type.startsWith('timestamp'))
    return ['null', `${column} + interval '1 second'`, `${column} - interval '40 days'`, ...edges]
  if (type === 'text') return ['null', `${column} || 'x'`, `''`]
  if (name.endsWith('_id')) {
    const parent = `(select max(${column}) from pg_temp.other_rows as others where others.${column} <> mutated.${column})`
    return ['null', parent, `(select min(${column}) from pg_temp.other_rows)`]
  }
  const changes = ['null', `${column} + 1`, `-${column}`, `${column} * 2`]
  // why: `hashint8extended` has the same hash for it
  if (type === 'bigint') changes.push(`(${column} # 1) + 4294967296`)
  return changes
}

/** @param rows of a table */
function sampleOf(columns: readonly TableColumn[]): string {
  const dates = columns.filter(({ type }) => type === 'date' || type.startsWith('timestamp'))
  const orders = [
    'md5(id::text)',
    ...dates.flatMap(({ name }) => [name, `${name} desc nulls last`]),
  ]
  const limit = dates.length > 0 ? ROWS.dated : ROWS.undated
  return orders
    .map(order => `(select id from pg_temp.other_rows order by ${order}, id limit ${limit})`)
    .join(' union ')
}

/** @param onlyTable by default, all tables are mutated */
export async function mutate(
  client: Client,
  report: ReportDefinition,
  { organizationId, question }: Pick<Asked, 'organizationId' | 'question'>,
  onlyTable?: string,
): Promise<Mutations> {
  const months = monthsOf(question.period).slice(0, MONTHS)
  const period = { start: months[0]!.start, end: months.at(-1)!.end }
  const missed = new Map<string, string>()
  const effective = new Set<string>()

  async function fingerprints(): Promise<string[]> {
    const content = await runFingerprint(client, report, organizationId, { ...question, period })
    return monthContents(content, months)
  }
  const rowsOf = async (month: Period): Promise<string> =>
    JSON.stringify(await runReport(client, report, organizationId, { ...question, period: month }))

  const contents = await fingerprints()
  const rows: string[] = []
  for (const month of months) rows.push(await rowsOf(month))

  async function compare(what: string, change: string): Promise<void> {
    const changed = await fingerprints()
    for (const [at, month] of months.entries()) {
      const isMissed = changed[at] === contents[at]
      // why: a fingerprint may change without need
      if (!isMissed && effective.has(what)) continue
      if ((await rowsOf(month)) === rows[at]) continue
      effective.add(what)
      if (isMissed) missed.set(what, `${what}: ${change} changes ${month.start}`)
    }
  }

  /** Changes that violate a constraint are no changes. */
  async function attempt(what: string, statement: string): Promise<void> {
    await client.query('savepoint mutation')
    try {
      const { rowCount } = await client.query(
        statement,
        statement.includes('$1') ? [organizationId] : [],
      )
      await client.query('set constraints all immediate')
      if (rowCount) await compare(what, statement)
    } catch (error) {
      if (!/^(?:22|23|P0001)/.test((error as { code?: string }).code ?? '')) throw error
    }
    await client.query('rollback to savepoint mutation')
  }

  for (const table of await tablesOf(report)) {
    if (table !== (onlyTable ?? table)) continue
    const columns = await columnsOf(client, table)
    await client.query('drop table if exists pg_temp.other_rows')
    await client.query(
      `create temp table other_rows as select * from ${table} where organization_id = '${organizationId}'`,
    )
    const { rows: sample } = await client.query<{ id: string }>(sampleOf(columns))
    for (const { id } of sample) {
      const where = `mutated.organization_id = $1 and mutated.id = ${id}`
      for (const column of columns) {
        for (const value of changesOf(column, period)) {
          const set = `${escapeIdentifier(column.name)} = ${value}`
          await attempt(
            `${table}.${column.name}`,
            `update ${table} as mutated set ${set} where ${where}`,
          )
        }
      }
      await attempt(`${table}: delete`, `delete from ${table} as mutated where ${where}`)
      await attempt(
        `${table}: insert`,
        `insert into ${table} overriding system value
        select copied.* from ${table} as mutated, jsonb_populate_record(mutated, '{"id": 999999}') as copied where ${where}`,
      )
    }
  }
  return { missed: [...missed.values()], effective }
}
