/**
 * Makes a statement read other rows than the tables have: the statement reads CTEs instead of the tables.
 * Knows no database.
 */
import { escapeIdentifier, escapeLiteral } from 'pg'
import type { ParsedSql } from '../../definitions/sql/parsed-sql.ts'
import { namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import {
  createFindTable,
  tableKey,
  type CatalogTable,
  type TableName,
} from '../sql/catalog-tables.ts'
import { everySelect, readQuery } from '../sql/query.ts'
import { edited } from '../sql/sql-text.ts'
import type { ProductColumn, ProductTable } from './product-tables.ts'
import { hashOf } from './synthetic-values.ts'

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
      ? `${shadowName(table)} as not materialized (${rows} ${where})`
      : `${shadowName(table)} as materialized (${rows} ${where} order by ${ORDERS[order](position)})`
  })
  return withShadows(sql, tables, ctes)
}

const ORDERS = {
  forth: (position: string) => position,
  back: (position: string) => `${position} desc`,
  shuffled: (position: string) => `md5(${position}::text)`,
}

/** The statement, which reads the CTEs instead of the tables. */
export function withShadows(
  sql: ParsedSql,
  tables: readonly CatalogTable[],
  ctes: readonly string[],
): string {
  return `with ${ctes.join(',\n')}\nselect * from (\n${renameTables(sql, tables)}\n) as result`
}

/** The name of the CTE that a statement reads instead of a table: no other relation has it. */
export function shadowName(table: TableName): string {
  return `svodka_${hashOf(tableKey(table))}`
}

/** Makes a statement read shadows of these tables under the tables' own names. */
export function renameTables(
  { text, tokens, statements }: ParsedSql,
  tables: readonly CatalogTable[],
): string {
  const tree = statements[0]?.tree
  const query = readQuery(tree)
  const find = createFindTable(tables)
  const code = tokens.filter(({ kind }) => kind !== 'comment')
  const indexes = new Map(code.map(({ start }, at) => [start, at]))
  const relations = query === undefined ? [] : everySelect(query).flatMap(one => one.relations)
  const aliased = nodesOf(tree, 'RangeVar').filter(({ alias }) => alias !== undefined)
  const aliasedAt = new Set(aliased.map(({ location }) => location))
  const ofRelations = relations.flatMap(relation => {
    const { schema, alias, offset: start } = relation
    const table = find(relation)
    const at = indexes.get(start) ?? 0
    const end = code[schema === undefined ? at : at + 2]?.end
    if (table === undefined || end === undefined) return []
    // why: `table sales` takes no alias
    const isCommand = /^table$/i.test(text.slice(code[at - 1]?.start, code[at - 1]?.end))
    const name = aliasedAt.has(start) || isCommand ? '' : ` as ${escapeIdentifier(alias)}`
    return [{ start, end, into: shadowName(table) + name }]
  })
  const ofColumns = nodesOf(tree, 'ColumnRef').flatMap(({ fields = [], location: start = 0 }) => {
    const [schema, name] = namesOf(fields)
    const end = code[(indexes.get(start) ?? 0) + 2]?.start
    const isOfTable = fields.length === 3 && find({ schema, name }) !== undefined
    return isOfTable && end !== undefined ? [{ start, end, into: '' }] : []
  })
  return edited(text, [...ofRelations, ...ofColumns])
}
