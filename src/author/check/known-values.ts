/** Finds conditions on values that a column never has, according to the product's check constraints. */
import type { Node } from 'libpg-query'
import type { Finding } from '../../definitions/findings.ts'
import { suggest } from '../../model/spelling.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import { as, namesOf } from '../../definitions/sql/syntax-tree.ts'
import {
  reachableFrom,
  sourceOf,
  valuesBehind,
  type ColumnSource,
  type ScopedNode,
} from '../sql/columns.ts'
import {
  alternativesOf,
  callOf,
  columnOf,
  isNull,
  numberOf,
  stringOf,
  withoutCasts,
} from '../sql/expressions.ts'
import type { Select } from '../sql/relations.ts'
import type { ColumnTypes } from './column-types.ts'
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
export function checkKnownValues(draft: Draft, types: ColumnTypes, values: KnownValues): Finding[] {
  const known = (source: ColumnSource) => {
    const typed = types.typed(source)
    // why: citext compares `A` as equal to `a`
    if (typed?.type === 'citext') return undefined
    return typed && values.get(keyOf(typed.table, typed.name))
  }
  return inEachSelect(draft, (expressions, select, part) => {
    // why: adjacent literals already have a finding about the missing comma
    const joined = new Set(joinedTexts(part).map(({ node }) => node))
    return valuesCompared(expressions).flatMap(({ own, node, value }): Finding[] => {
      const constant = as(withoutCasts(node), 'A_Const')
      if (constant !== undefined && joined.has(constant)) return []
      const possible = possibleValues(own, select, types, known)
      if (possible === undefined || possible.some(one => isSameValue(one, value))) return []
      const [column, ...others] = types.columnsOf(own, select)
      const isOne = column !== undefined && others.length === 0
      const subject = isOne ? `${column.table.name}.${column.name}` : part.written(own)
      const message = `${subject} is never '${value}', ${suggest(value, [...new Set(possible)])}`
      return [{ line: part.line(node), message }]
    })
  })
}

function isSameValue(one: string, other: string): boolean {
  return one === other || (one !== '' && other !== '' && Number(one) === Number(other))
}

/** All values that an expression may have; undefined if they are not known. Null is not a value. */
function possibleValues(
  own: Node,
  select: Select,
  { tableColumns }: ColumnTypes,
  known: (source: ColumnSource) => readonly string[] | undefined,
): readonly string[] | undefined {
  const valuesOf = (node: Node, within: Select) => {
    const source = sourceOf(node, within, tableColumns)
    return constantsOf(node) ?? (source && known(source))
  }
  const next = (node: Node, within: Select): readonly ScopedNode[] => {
    const { arg } = as(node, 'TypeCast') ?? {}
    if (valuesOf(node, within) !== undefined) return []
    const isAbsolute = callOf(node, ['abs']) !== undefined
    const parts = arg !== undefined ? [arg] : isAbsolute ? [] : alternativesOf(node)
    return [
      ...parts.map(part => [part, within] as const),
      ...valuesBehind(node, within, tableColumns),
    ]
  }
  const leaves = reachableFrom([own, select], next).filter(one => next(...one).length === 0)
  return allOf(leaves.map(one => valuesOf(...one)))
}

interface ComparedValue {
  readonly own: Node
  readonly value: string
  readonly node: Node
}

/** `x = 'a'`, `x <> 'a'`, `x in (...)`, `x = any (array[...])` and `case x when 'a'`. */
function valuesCompared(expressions: readonly Node[]): ComparedValue[] {
  return comparedIn(expressions).flatMap(({ left: own, right: node, sign }) => {
    const [value] = constantsOf(node) ?? []
    // why: a comparison of two constants may be intended
    const isOfConstants = value === undefined || constantsOf(own) !== undefined
    return isOfConstants || !['=', '<>'].includes(sign) ? [] : [{ own, value, node }]
  })
}
