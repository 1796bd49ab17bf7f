/** The name that PostgreSQL gives a selected column without an alias. */
import type { Node } from 'libpg-query'
import { as, namesOf, type NodeKind } from '../../definitions/sql/syntax-tree.ts'

/** Undefined for a star. @see `FigureColname` in PostgreSQL's `parse_target.c` */
export function nameOfItem(expression: Node): string | undefined {
  const fields = as(expression, 'ColumnRef')?.fields
  if (fields !== undefined) return as(fields.at(-1), 'A_Star') ? undefined : namesOf(fields).at(-1)
  return figured(expression)?.name ?? '?column?'
}

/** Expressions that are named after their syntax. */
const NAMES: Partial<Record<NodeKind, string>> = {
  CoalesceExpr: 'coalesce',
  A_ArrayExpr: 'array',
  RowExpr: 'row',
  GroupingFunc: 'grouping',
  JsonObjectAgg: 'json_objectagg',
  JsonArrayAgg: 'json_arrayagg',
  JsonObjectConstructor: 'json_object',
  JsonArrayConstructor: 'json_array',
  JsonArrayQueryConstructor: 'json_array',
  XmlSerialize: 'xmlserialize',
}

interface Figured {
  readonly name: string
  /** Whether a cast or a `case` around it names the column instead. */
  readonly isWeak: boolean
}

function figured(expression: Node | undefined): Figured | undefined {
  if (expression === undefined) return undefined
  const name = ownNameOf(expression)
  if (name !== undefined) return { name, isWeak: false }
  const inner =
    as(expression, 'CollateClause')?.arg ??
    as(expression, 'A_Indirection')?.arg ??
    as(expression, 'TypeCast')?.arg ??
    as(expression, 'CaseExpr')?.defresult
  const found = figured(inner)
  const cast = namesOf(as(expression, 'TypeCast')?.typeName?.names).at(-1)
  const weak = cast ?? (as(expression, 'CaseExpr') && 'case')
  if (weak === undefined || found?.isWeak === false) return found
  return { name: weak, isWeak: true }
}

function ownNameOf(expression: Node): string | undefined {
  const named =
    as(expression, 'ColumnRef')?.fields ??
    as(expression, 'FuncCall')?.funcname ??
    as(expression, 'A_Indirection')?.indirection
  const name = namesOf(named).at(-1)
  if (name !== undefined) return name
  const sublink = as(expression, 'SubLink')
  if (sublink?.subLinkType === 'EXISTS_SUBLINK') return 'exists'
  if (sublink?.subLinkType === 'ARRAY_SUBLINK') return 'array'
  if (sublink?.subLinkType === 'EXPR_SUBLINK') {
    const target = as(as(sublink.subselect, 'SelectStmt')?.targetList?.[0], 'ResTarget')
    return target?.name ?? (target?.val && nameOfItem(target.val))
  }
  const valueFunction = as(expression, 'SQLValueFunction')?.op
  if (valueFunction !== undefined) return valueFunction.replace(/^SVFOP_|_N$/g, '').toLowerCase()
  const minMax = as(expression, 'MinMaxExpr')
  if (minMax !== undefined) return minMax.op === 'IS_GREATEST' ? 'greatest' : 'least'
  if (as(expression, 'A_Expr')?.kind === 'AEXPR_NULLIF') return 'nullif'
  return NAMES[Object.keys(expression)[0] as NodeKind]
}
