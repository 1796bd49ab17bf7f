/**
 * An organization whose every row tells whose it is, made from what the database says of its tables: so a table or
 * a column that is added is filled too. All organizations have the same ids, so that a join which forgets the
 * organization meets foreign rows. A third of the rows are twins: they refer to the same ids at the same moments, for
 * joins by other than ids. Of the others it differs what refers to what, and when; of all how much. Some rows have
 * nothing in whatever may be nothing, and some no money: for conditions that hold of such rows alone.
 */
import type { Client } from 'pg'
import { chance, isBare, isForNothing, isTwin, keepTheRules, REFERRED } from './marked-rules.ts'
import type { MarkedRow, MarkedTables } from './marked-rules.ts'

export interface Mark {
  readonly organizationId: string
  /** In every free text. */
  readonly word: string
  /** Six digits that begin every number of a taxpayer. */
  readonly digits: string
  /** How many rows each table has, at least as many as are referred to; ids begin with 1. */
  readonly rows: number
  /** Multiplies money. */
  readonly factor: number
  /** Of the category of the first operation: what counts as the first fact hangs on it. */
  readonly firstSection: 'income' | 'financing'
}

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  /** What a check allows, as in `kind in ('bank', 'cash')`; none is anything. */
  readonly choices: readonly string[]
  readonly refers: boolean
}

const NOW = Date.parse('2026-11-21T09:30:00Z')
const DAY = 86_400_000

async function columnsOf(client: Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(`
    select
        tables.relname as table,
        attributes.attname as name,
        attributes.atttypid::regtype::text as type,
        not attributes.attnotnull as nullable,
        array(
            select words.found[1]
            from pg_constraint as checks
            cross join regexp_matches(pg_get_constraintdef(checks.oid), '''([^'']+)''::text', 'g') as words (found)
            where checks.conrelid = tables.oid
              and checks.contype = 'c'
              and checks.conkey = array[attributes.attnum]
              and pg_get_constraintdef(checks.oid) like '%ARRAY[%'
        ) as choices,
        exists (
            select from pg_constraint as keys
            where keys.conrelid = tables.oid
              and keys.contype = 'f'
              and attributes.attnum = any (keys.conkey)
        ) as refers
    from pg_class as tables
    join pg_attribute as attributes on attributes.attrelid = tables.oid and attributes.attnum > 0
    where tables.relnamespace = 'public'::regnamespace
      and tables.relkind = 'r'
      and tables.relname not in ('organizations', 'api_keys')
      and not attributes.attisdropped
    order by tables.relname, attributes.attnum`)
  return rows
}

function isFreeText({ type, choices }: Column): boolean {
  return type === 'text' && choices.length === 0
}

function valueOf(mark: Mark, column: Column, id: number): string | number | null {
  const { table, name, type, nullable, choices, refers } = column
  const who = isTwin(id) ? '' : mark.word
  const number = chance(who, table, name, id)
  if (name === 'organization_id') return mark.organizationId
  if (name === 'id') return id
  if (name === 'inn' && !isBare(id)) return mark.digits + String(id).padStart(6, '0')
  if (nullable && isBare(id)) return null
  if (isFreeText(column)) return `${mark.word} ${table}.${name} ${id}`
  if (nullable && chance(who, table, name, id, 'null') < 0.15) return null
  if (choices.length > 0) return choices[Math.floor(number * choices.length)] ?? null
  // Some are referred to often.
  if (refers || name === 'transfer_id') return 1 + Math.floor(number * number * REFERRED)
  switch (type) {
    case 'bigint':
      if (isForNothing(id) && table !== 'operations') return 0
      return (1000 + Math.floor(chance(mark.word, table, name, id) * 1_000_000)) * mark.factor
    case 'integer':
      return 1 + Math.floor(number * 600)
    case 'numeric':
      return (1 + Math.floor(number * 200_000)) / 1000
    case 'date':
      return new Date(NOW - number * 690 * DAY).toISOString().slice(0, 10)
    case 'timestamp with time zone':
      return new Date(NOW - number * 690 * DAY).toISOString()
    default:
      throw new Error(`${table}.${name} is ${type}: say here what a marked row has in it`)
  }
}

export async function insertMarked(client: Client, mark: Mark): Promise<void> {
  const columns = await columnsOf(client)
  const ids = Array.from({ length: mark.rows }, (_, at) => at + 1)
  const tables: MarkedTables = {}
  for (const table of new Set(columns.map(column => column.table))) {
    const own = columns.filter(column => column.table === table)
    tables[table] = ids.map((id): MarkedRow => {
      return Object.fromEntries(own.map(column => [column.name, valueOf(mark, column, id)]))
    })
  }
  keepTheRules(tables, mark.word, mark.firstSection)
  await client.query(
    `insert into organizations (id, name, tier, time_zone) values ($1, $2, 'business', 'Europe/Moscow')`,
    [mark.organizationId, mark.word],
  )
  // Whatever order the tables come in: every reference is to a row that is there.
  await client.query('set session_replication_role = replica')
  for (const [table, rows] of Object.entries(tables)) {
    await client.query(
      `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    )
  }
  await client.query('reset session_replication_role')
}

/** Free texts without their organization's mark, as table.column; and such as no row fills. */
export async function unmarked(client: Client, mark: Mark): Promise<string[]> {
  const texts = (await columnsOf(client)).filter(isFreeText)
  const found: string[] = []
  for (const { table, name } of texts) {
    const { rows } = await client.query<{ filled: string; marked: string }>(
      `select
          count(${name}) as filled,
          count(*) filter (where ${name} like $2 || '%' or ${name} like $3 || '%') as marked
       from ${table}
       where organization_id = $1`,
      [mark.organizationId, mark.word, mark.digits],
    )
    const [{ filled, marked } = { filled: '0', marked: '0' }] = rows
    if (filled === '0' || filled !== marked) found.push(`${table}.${name}`)
  }
  return found
}

/** Conditions that hold of no row: money that is 0, and two columns that are null together. */
export async function neverNothing(client: Client, mark: Mark): Promise<string[]> {
  const columns = await columnsOf(client)
  const found: string[] = []
  for (const table of new Set(columns.map(column => column.table))) {
    const own = columns.filter(column => column.table === table)
    const money = own.filter(({ name }) => name.endsWith('_kopecks') && table !== 'operations')
    const nullable = own.filter(column => column.nullable).map(column => column.name)
    const conditions = [
      ...money.map(({ name }) => `${name} = 0`),
      ...nullable.flatMap((one, at) =>
        nullable.slice(at).map(other => `${one} is null and ${other} is null`),
      ),
    ]
    if (conditions.length === 0) continue
    const counts = conditions.map(
      (condition, at) => `count(*) filter (where ${condition}) as n${at}`,
    )
    const { rows } = await client.query<Record<string, string>>(
      `select ${counts.join(', ')} from ${table} where organization_id = $1`,
      [mark.organizationId],
    )
    const missing = conditions.filter((_, at) => rows[0]?.[`n${at}`] === '0')
    found.push(...missing.map(condition => `${table}: ${condition}`))
  }
  return found
}
