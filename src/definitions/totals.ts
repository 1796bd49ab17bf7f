/**
 * Totals of a report, over all rows in the statement's snapshot. Either the gateway wraps the statement in aggregates,
 * or the statement returns a totals row itself, with `is_total`.
 */
import type { Node } from 'libpg-query'
import type { ColumnType } from '../model/terms.ts'
import type { MatterPath } from './front-matter.ts'
import { fieldsOf, isVisible, type ReportField } from './report-fields.ts'
import type { ReportMatter } from './schemas.ts'
import type { ParsedSql } from './sql/parsed-sql.ts'
import {
  cutAtPlaceholders,
  type Insertion,
  type SqlPiece,
  type SqlPieces,
} from './sql/sql-pieces.ts'
import { as, namesOf, OF_PLAIN_CALLS } from './sql/syntax-tree.ts'

/** Columns that the gateway or the statement adds to the columns of a report. */
export const TOTALS_COLUMNS = ['is_total', 'row_count'] as const

/** The front matter value for a column without a total. */
export const NO_TOTAL = 'none'

/** Whether the statement returns its totals row itself. */
export function returnsTotals(sql: ParsedSql): boolean {
  const { text, tokens } = sql
  const columns = selectedNames(sql)
  if (columns.includes(TOTALS_COLUMNS[0])) return true
  // why: a star may select it from a subquery, which then names it
  const isNamed = tokens.some(
    ({ kind, start, end }) =>
      kind === 'name' && /^(?:is_total|"is_total")$/i.test(text.slice(start, end)),
  )
  return isNamed && columns.includes('*')
}

/** The names of the columns of the first statement. */
function selectedNames({ statements }: Pick<ParsedSql, 'statements'>): string[] {
  let select = as(statements[0]?.tree, 'SelectStmt')
  // why: the names of a union are those of its first select
  while (select?.larg !== undefined) select = select.larg
  return select?.targetList?.flatMap(target => selectedName(target) ?? []) ?? []
}

/** `*` for a star; undefined for an expression without a name. */
function selectedName(target: Node): string | undefined {
  const { name, val } = as(target, 'ResTarget') ?? {}
  const fields = as(as(val, 'TypeCast')?.arg ?? val, 'ColumnRef')?.fields ?? []
  return name ?? (as(fields.at(-1), 'A_Star') ? '*' : namesOf(fields).at(-1))
}

/**
 * The aggregate of a total. A plain sum over no rows is 0 instead of null; other aggregates are unchanged.
 * @param line of its key
 */
export function aggregateOf(
  sql: ParsedSql,
  insertions: readonly Insertion[],
  line: number,
): SqlPieces {
  const [statement] = sql.statements
  if (statement === undefined) return ['null']
  const pieces = cutAtPlaceholders(sql, statement, insertions, line)
  return isPlainSum(statement.tree) ? ['coalesce(', ...pieces, ', 0)'] : pieces
}

function isPlainSum(tree: Node): boolean {
  const [target] = as(tree, 'SelectStmt')?.targetList ?? []
  const call = as(as(target, 'ResTarget')?.val, 'FuncCall') ?? {}
  return (
    namesOf(call.funcname).at(-1) === 'sum' &&
    as(call.args?.[0], 'ColumnRef') !== undefined &&
    Object.keys(call).every(key => OF_PLAIN_CALLS.has(key))
  )
}

/**
 * The statement, preceded by its totals row. The CTE is materialized, so that the report is executed once and in order.
 * The statement inside does not see the CTE's name.
 */
export function withTotals(
  statement: SqlPieces,
  fields: readonly ReportField[],
  totals: ReadonlyMap<string, SqlPieces>,
  lineOf: (path: MatterPath) => number,
): SqlPieces {
  const selected = fields.filter(field => isVisible(field) || totals.has(field.name))
  const aggregates = selected.flatMap(({ name }) => [
    ',\n    ',
    ...(totals.get(name) ?? ['null']),
    ` as "${name}"`,
  ])
  const values = selected.map((field): SqlPiece => {
    const value = isVisible(field) ? `"${field.name}"` : 'null'
    return { text: `,\n    ${value}`, line: lineOf([field.section, field.name, 'total']) }
  })
  return [
    'with report as materialized (\n',
    ...statement,
    '\n)\nselect\n    true as is_total,\n    count(*) as row_count',
    ...aggregates,
    '\nfrom report\nunion all\nselect\n    false,\n    null',
    ...values,
    '\nfrom report',
  ]
}

/** The fields of the totals row; hidden columns only if they have a total or the statement returns it. */
export function summaryTypes(
  matter: ReportMatter,
  returnsTotals: boolean,
): Map<string, ColumnType> {
  const held = fieldsOf(matter).filter(
    ({ role, total }) => role !== 'hidden' || returnsTotals || hasTotal(total),
  )
  return new Map(held.map(({ name, type }) => [name, type]))
}

export function hasTotal(total: string | undefined): total is string {
  return total !== undefined && total !== NO_TOTAL
}
