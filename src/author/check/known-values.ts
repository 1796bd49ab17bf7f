/** Finds conditions on values that a column never has, according to the product's check constraints. */
import type { Node } from 'libpg-query'
import type { Finding } from '../../definitions/findings.ts'
import { suggest } from '../../model/spelling.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import { as, namesOf } from '../../definitions/sql/syntax-tree.ts'
import { columnOf, isNull, numberOf, stringOf, withoutCasts } from '../sql/expressions.ts'
import type { ColumnsOf } from './column-types.ts'
import { comparedIn, elementsOf } from './compared-values.ts'
import { joinedTexts } from './rules/joined-texts.ts'
import { tableKey, type CatalogTable } from '../sql/catalog-tables.ts'
import { inEachSelect, type Draft } from './rules/draft.ts'

/** By `tableKey` and column. */
export type KnownValues = ReadonlyMap<string, readonly string[]>

/** Values of columns with a check such as `kind in ('income', 'expense')`, on the table or on a domain. */
export async function readKnownValues(
  tables: readonly CatalogTable[],
  parse: ParseSql,
): Promise<KnownValues> {
  const known = new Map<string, readonly string[]>()
  for (const table of tables) {
    const ofDomains = table.columns.flatMap(({ name, checks }) =>
      checks.map(check => ({ ...check, columns: [name] })),
    )
    for (const { condition, columns, isValidated } of [...table.checks, ...ofDomains]) {
      const [column, ...others] = columns
      if (column === undefined || others.length > 0 || !isValidated) continue
      const sql = await parse({ text: condition, placeholders: [], isExpression: true })
      const select = as(sql.statements[0]?.tree, 'SelectStmt')
      const values = valuesAllowed(as(select?.targetList?.[0], 'ResTarget')?.val)
      if (values !== undefined) known.set(keyOf(table, column), values)
    }
  }
  return known
}

/** The only values that a condition on one column allows; undefined if it allows others. */
function valuesAllowed(condition: Node | undefined): string[] | undefined {
  const { boolop, args = [] } = as(condition, 'BoolExpr') ?? {}
  const lists = args.map(valuesAllowed)
  if (boolop === 'AND_EXPR') return lists.find(list => list !== undefined)
  if (boolop === 'OR_EXPR') return allOf(lists)
  if (as(condition, 'NullTest')?.nulltesttype === 'IS_NULL') return []
  const { kind = '', name, lexpr, rexpr } = as(condition, 'A_Expr') ?? {}
  const isList = ['AEXPR_OP', 'AEXPR_IN', 'AEXPR_OP_ANY'].includes(kind)
  if (!isList || namesOf(name).at(-1) !== '=' || columnOf(withoutCasts(lexpr)) === undefined) {
    return undefined
  }
  return allOf(elementsOf(rexpr).map(element => constantsOf(element)))
}

/** The values of all lists; undefined unless every list is known. */
function allOf(lists: ReadonlyArray<readonly string[] | undefined>): string[] | undefined {
  const known = lists.flatMap(list => (list === undefined ? [] : [list]))
  return lists.length === 0 || known.length < lists.length ? undefined : known.flat()
}

function constantsOf(node: Node | undefined): string[] | undefined {
  const inner = withoutCasts(node)
  if (isNull(inner)) return []
  const value = stringOf(inner) ?? numberOf(inner)
  return value === undefined ? undefined : [value]
}

function keyOf(table: CatalogTable, column: string): string {
  return `${tableKey(table)}.${column}`
}

/** One finding per value that never occurs; columns are followed through CTEs and subqueries. */
export function checkKnownValues(
  draft: Draft,
  columnsOf: ColumnsOf,
  values: KnownValues,
): Finding[] {
  return inEachSelect(draft, (expressions, select, part) => {
    // why: adjacent literals already have a finding about the missing comma
    const joined = new Set(joinedTexts(part).map(({ node }) => node))
    return comparedIn(expressions).flatMap(({ left, right, sign }): Finding[] => {
      const [value] = constantsOf(right) ?? []
      const constant = as(withoutCasts(right), 'A_Const')
      const isJoined = constant !== undefined && joined.has(constant)
      if (value === undefined || isJoined || !['=', '<>'].includes(sign)) return []
      const columns = columnsOf(left, select)
      const possible = allOf(
        columns.map(column =>
          // why: citext compares `A` as equal to `a`
          column === undefined || column.type === 'citext'
            ? undefined
            : values.get(keyOf(column.table, column.name)),
        ),
      )
      if (possible === undefined || possible.some(one => isSameValue(one, value))) return []
      const [column] = columns
      const message = `${column!.table.name}.${column!.name} is never '${value}', ${suggest(value, [...new Set(possible)])}`
      return [{ line: part.line(right), message }]
    })
  })
}

function isSameValue(one: string, other: string): boolean {
  return one === other || (one !== '' && other !== '' && Number(one) === Number(other))
}
