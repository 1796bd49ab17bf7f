/** SQL for the rows of a declared table that an organization may read. */
import { RESERVED_WORDS } from './reserved-words.ts'
import type { SqlPieces } from './sql/sql-pieces.ts'
import type { DeclaredTable, Link, Tenancy } from './tenancy.ts'

const ID = { placeholder: 'organization_id' }

/**
 * How a child's rows are selected. `linked`: all, since the statement itself joins them to their parents; `fenced`: before
 * any of its expressions is evaluated.
 */
export type ChildRows = 'linked' | 'fenced' | undefined

/** A select of the table's rows; with the placeholder `organization_id`, unless the table is shared. */
export type RowsOf = (table: DeclaredTable, children?: ChildRows) => SqlPieces

/** @param system columns of PostgreSQL besides the table's, such as `ctid` */
export function rowsOf(tables: Tenancy['tables'], system: readonly string[] = []): RowsOf {
  return (table, children) => {
    const name = quoted(table.name)
    const isChild = table.tenancy.kind === 'child'
    const [as, dot] = isChild ? [` as ${name}`, `${name}.`] : ['', '']
    const columns = [...system, ...(table.columns?.map(quoted) ?? ['*'])].map(name => dot + name)
    const condition = isChild && children === 'linked' ? [] : conditionOn(table, tables, dot)
    const from = `select ${columns.join(', ')} from ${qualified(table)}${as}`
    const fence = isChild && children === 'fenced' ? [' offset 0'] : []
    const first = table.tenancy.kind === 'tenant' ? evaluatedFirst(table.tenancy.column) : []
    return condition.length === 0 ? [from] : [`${from} where `, ...condition, ...first, ...fence]
  }
}

/**
 * Repeats the condition where PostgreSQL evaluates it before all others that cost an operator or more; of `=` alone it
 * derives conditions on joined tables, which are the last.
 * why: as `is not null` it changes no estimate
 */
function evaluatedFirst(column: string): SqlPieces {
  return [` and (case when ${quoted(column)} = `, ID, ' then true end) is not null']
}

/**
 * The condition on a row of the organization; empty for a shared table.
 * @param dot the alias of the row's table and a dot, or nothing
 */
function conditionOn(
  { tenancy }: DeclaredTable,
  tables: Tenancy['tables'],
  dot: string,
): SqlPieces {
  if (tenancy.kind === 'shared') return []
  if (tenancy.kind === 'tenant') return [`${dot}${quoted(tenancy.column)} = `, ID]
  const parent = tables.get(tenancy.parent)!
  // why: names of tables as aliases, since PostgreSQL's errors show them
  const above = quoted(parent.name)
  const links = linkConditions(tenancy.links, above, dot).join(' and ')
  return [
    `exists (select from ${qualified(parent)} as ${above} where ${links} and `,
    ...conditionOn(parent, tables, `${above}.`),
    ')',
  ]
}

/** @param above the parent's alias @param dot as in `conditionOn`, for the child */
export function linkConditions(links: readonly Link[], above: string, dot: string): string[] {
  return links.map(({ column, key }) => `${above}.${quoted(key)} = ${dot}${quoted(column)}`)
}

/** From the table upwards. */
export function withParents(table: DeclaredTable, tables: Tenancy['tables']): DeclaredTable[] {
  const { tenancy } = table
  if (tenancy.kind !== 'child') return [table]
  return [table, ...withParents(tables.get(tenancy.parent)!, tables)]
}

export function qualified({ schema, table }: DeclaredTable): string {
  return `${quoted(schema)}.${quoted(table)}`
}

/** An SQL name, in quotes if it needs them. */
export function quoted(name: string): string {
  const isPlain =
    /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED_WORDS.has(name) && !JOINING.test(name)
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`
}

/** Words that may name a function or a type only (`catcode` T). */
const JOINING =
  /^(authorization|binary|collation|concurrently|cross|current_schema|freeze|full|ilike|inner|is|isnull|join|left|like|natural|notnull|outer|overlaps|right|similar|tablesample|verbose)$/
