/**
 * Makes a statement read other rows than the tables have: a CTE with the name of a table hides it from the statement.
 * Knows no database.
 */
import { escapeIdentifier, escapeLiteral } from 'pg'
import type { ParsedSql } from '../../definitions/sql/parsed-sql.ts'
import { namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import type { ProductColumn, ProductTable } from './product-tables.ts'

/** How the CTEs show an organization's rows. */
export interface OtherRows {
  /** The order of the rows; undefined leaves it to the planner. */
  readonly order?: 'forth' | 'back' | 'shuffled'
  readonly columnOf?: (column: ProductColumn) => string
}

export const asItIs = ({ name }: ProductColumn): string => escapeIdentifier(name)

/**
 * @param sql one select with `$1`, `$2`, ...
 * @param hasCtids whether the rows have a `ctid`, which rows of a CTE do not
 */
export function shadowed(
  sql: ParsedSql,
  tables: readonly ProductTable[],
  organizationId: string,
  { order, columnOf = asItIs }: OtherRows,
  hasCtids: boolean,
): string {
  if (tables.length === 0) return sql.text
  const ctes = tables.map(table => {
    const name = escapeIdentifier(table.name)
    const columns = table.columns.map(one => `${columnOf(one)} as ${escapeIdentifier(one.name)}`)
    const rows = `select ${columns.join(', ')} from ${escapeIdentifier(table.schema)}.${name}`
    const where = `where ${table.ownRows(escapeLiteral(organizationId))}`
    // why: a view has no physical order; any order unrelated to the statement's will do
    const position = hasCtids && table.view === null ? 'ctid' : `md5(${name}::text)`
    return order === undefined
      ? `${name} as not materialized (${rows} ${where})`
      : `${name} as materialized (${rows} ${where} order by ${ORDERS[order](position)})`
  })
  return `with ${ctes.join(',\n')}\nselect * from (\n${withoutSchemas(sql, tables)}\n) as result`
}

const ORDERS = {
  forth: (position: string) => position,
  back: (position: string) => `${position} desc`,
  shuffled: (position: string) => `md5(${position}::text)`,
}

/** Removes the schema from table names: a CTE does not hide a table that is named with its schema. */
export function withoutSchemas(
  { text, tokens, statements }: ParsedSql,
  tables: ReadonlyArray<Pick<ProductTable, 'schema' | 'name'>>,
): string {
  const hides = (schema: string | undefined, name: string | undefined) =>
    tables.some(table => table.schema === schema && table.name === name)
  const named = [
    ...nodesOf(statements[0]?.tree, 'RangeVar').filter(({ schemaname, relname }) =>
      hides(schemaname, relname),
    ),
    ...nodesOf(statements[0]?.tree, 'ColumnRef').filter(({ fields = [] }) => {
      const [schema, name] = namesOf(fields)
      return fields.length === 3 && hides(schema, name)
    }),
  ]
  const starts = new Set(named.map(({ location }) => location))
  const code = tokens.filter(({ kind }) => kind !== 'comment')
  return code.reduceRight((cut, { start }, at) => {
    const end = code[at + 2]?.start ?? start
    return starts.has(start) ? cut.slice(0, start) + cut.slice(end) : cut
  }, text)
}
