/** The name that PostgreSQL gives a selected column without an alias. */
import type { Node } from 'libpg-query'
import { as, namesOf } from '../../definitions/sql/syntax-tree.ts'

/** Undefined for a star. @see `FigureColname` in PostgreSQL's `parse_target.c` */
export function nameOfItem(expression: Node): string | undefined {
  const fields = as(expression, 'ColumnRef')?.fields
  if (fields !== undefined) return as(fields.at(-1), 'A_Star') ? undefined : namesOf(fields).at(-1)
  return columnNameOf(expression) ?? '?column?'
}

function columnNameOf(expression: Node | undefined): string | undefined {
  if (expression === undefined) return undefined
  const column = namesOf(as(expression, 'ColumnRef')?.fields).at(-1)
  const call = namesOf(as(expression, 'FuncCall')?.funcname).at(-1)
  const cast = as(expression, 'TypeCast')
  if (column !== undefined || call !== undefined) return column ?? call
  if (cast !== undefined) return columnNameOf(cast.arg) ?? namesOf(cast.typeName?.names).at(-1)
  const indirection = as(expression, 'A_Indirection')
  if (indirection !== undefined) {
    return namesOf(indirection.indirection).at(-1) ?? columnNameOf(indirection.arg)
  }
  const sublink = as(expression, 'SubLink')
  if (sublink?.subLinkType === 'EXISTS_SUBLINK') return 'exists'
  if (sublink?.subLinkType === 'ARRAY_SUBLINK') return 'array'
  if (sublink?.subLinkType === 'EXPR_SUBLINK') {
    const target = as(as(sublink.subselect, 'SelectStmt')?.targetList?.[0], 'ResTarget')
    return target?.name ?? (target?.val && nameOfItem(target.val))
  }
  const valueFunction = as(expression, 'SQLValueFunction')?.op
  if (valueFunction !== undefined) return valueFunction.replace(/^SVFOP_|_N$/g, '').toLowerCase()
  if (as(expression, 'CaseExpr'))
    return columnNameOf(as(expression, 'CaseExpr')?.defresult) ?? 'case'
  if (as(expression, 'CoalesceExpr')) return 'coalesce'
  const minMax = as(expression, 'MinMaxExpr')
  if (minMax !== undefined) return minMax.op === 'IS_GREATEST' ? 'greatest' : 'least'
  if (as(expression, 'A_Expr')?.kind === 'AEXPR_NULLIF') return 'nullif'
  if (as(expression, 'A_ArrayExpr')) return 'array'
  if (as(expression, 'RowExpr')) return 'row'
  return undefined
}
