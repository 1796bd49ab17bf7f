/**
 * A statement over other rows than the tables have: a CTE of a table's name stands before the statement and hides the
 * table from it. Knows no database.
 */
import { escapeIdentifier, escapeLiteral } from 'pg'
import { lex } from '../../definitions/lexer.ts'
import type { ProductColumn, ProductTable } from './product-tables.ts'

export interface Shadow {
  readonly table: ProductTable
  /** Undefined leaves the rows of all organizations. */
  readonly organizationId: string | undefined
  /** How rows are given: as the planner likes, or in this order. */
  readonly order?: 'forth' | 'back' | 'shuffled'
  readonly columnOf?: (column: ProductColumn) => string
}

/** @param text one select with `$1`, `$2`, ... */
export function shadowed(text: string, shadows: readonly Shadow[]): string {
  if (shadows.length === 0) return text
  const tables = shadows.map(({ table }) => table)
  const ctes = shadows.map(shadow => `${escapeIdentifier(shadow.table.name)} as ${body(shadow)}`)
  return `with ${ctes.join(',\n')}\nselect * from (\n${withoutSchemas(text, tables)}\n) as answer`
}

export const asItIs = ({ name }: ProductColumn): string => escapeIdentifier(name)

function body({ table, organizationId, order, columnOf = asItIs }: Shadow): string {
  const columns = table.columns.map(
    column => `${columnOf(column)} as ${escapeIdentifier(column.name)}`,
  )
  const from = `${escapeIdentifier(table.schema)}.${escapeIdentifier(table.name)}`
  const own = escapeIdentifier(table.organizationColumn)
  const type = table.columns.find(({ name }) => name === table.organizationColumn)?.type ?? 'text'
  const where =
    organizationId === undefined ? '' : ` where ${own} = ${escapeLiteral(organizationId)}::${type}`
  const how = order === undefined ? 'not materialized' : 'materialized'
  return `${how} (select ${columns.join(', ')} from ${from}${where}${ordered(table, order)})`
}

function ordered({ isView, name }: ProductTable, order: Shadow['order']): string {
  if (order === undefined) return ''
  // why: a view has no physical order; any that does not hang on what its rows are ordered by will do
  const place = isView ? `md5(${escapeIdentifier(name)}::text)` : 'ctid'
  if (order === 'shuffled') return ` order by md5(${place}::text)`
  return ` order by ${place}${order === 'back' ? ' desc' : ''}`
}

/** A table that is written with its schema is not hidden by a CTE, so the schema goes. */
function withoutSchemas(text: string, tables: readonly ProductTable[]): string {
  const tokens = lex(text).filter(({ kind }) => kind !== 'comment')
  const cuts = tokens.flatMap((token, at) => {
    const table = tables.find(({ name }) => name === nameOf(tokens[at + 2]?.text))
    const isQualified = tokens[at + 1]?.text === '.' && tokens[at - 1]?.text !== '.'
    if (table === undefined || !isQualified || nameOf(token.text) !== table.schema) return []
    return [{ start: token.start, end: tokens[at + 1]?.end ?? token.end }]
  })
  return cuts.reduceRight((cut, { start, end }) => cut.slice(0, start) + cut.slice(end), text)
}

function nameOf(text: string | undefined): string | undefined {
  return text?.startsWith('"') === true ? text.slice(1, -1) : text?.toLowerCase()
}
