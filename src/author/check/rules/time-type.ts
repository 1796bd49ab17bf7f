/** Which expressions are days and which are instants, by the text; columns of tables are judged by their names. */
import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { relationOf, valuesBehind } from '../origins.ts'
import {
  alternativesOf,
  callOf,
  columnOf,
  operatorOf,
  placeholderOf,
  typeOf,
} from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import { hasInterval } from './bounds.ts'

/** `local` is a timestamp without time zone. */
export type TimeType = 'date' | 'local' | 'instant'

const CAST_TYPES: Readonly<Record<string, TimeType>> = {
  date: 'date',
  timestamp: 'local',
  timestamptz: 'instant',
}

/** Undefined if the text does not show the type. */
export function timeType(node: Node | undefined, select: Select): TimeType | undefined {
  if (node === undefined) return undefined
  const cast = as(node, 'TypeCast')
  if (cast !== undefined) return CAST_TYPES[typeOf(cast.typeName)]
  const placeholder = placeholderOf(node)
  if (placeholder !== undefined) return ofPlaceholder(placeholder)
  const operator = operatorOf(node)
  if (operator === '+' || operator === '-') {
    const { lexpr, rexpr } = as(node, 'A_Expr') ?? {}
    const [left, right] = [timeType(lexpr, select), timeType(rexpr, select)]
    const type = operator === '+' ? (left ?? right) : left
    // why: a difference of times is no time
    if (left !== undefined && right !== undefined) return undefined
    return type === 'date' && hasInterval([lexpr, rexpr]) ? 'local' : type
  }
  const [zone, operand] = callOf(node, ['timezone'])?.args ?? []
  if (zone !== undefined) return timeType(operand, select) === 'local' ? 'instant' : undefined
  if (callOf(node, ['date', 'make_date']) !== undefined) return 'date'
  const series = callOf(node, ['generate_series'])
  if (series !== undefined) {
    const type = timeType(series.args[0], select)
    return type === 'date' ? 'local' : type
  }
  const [behind] = valuesBehind(node, select)
  if (behind !== undefined) return timeType(...behind)
  const types = alternativesOf(node).map(one => timeType(one, select))
  // why: PostgreSQL converts the other choices to an instant
  if (types.length > 0) return types.includes('instant') ? 'instant' : types.find(Boolean)
  return ofColumn(node, select)
}

function ofPlaceholder(name: string): TimeType | undefined {
  if (name === 'now' || name.endsWith('_at')) return 'instant'
  return name.startsWith('period') || name === 'as_of' || name === 'today' ? 'date' : undefined
}

/** By name: `moved_at` is an instant, `paid_on` and `operation_date` are dates. */
function ofColumn(node: Node, select: Select): TimeType | undefined {
  const relation = relationOf(node, select)
  const name = columnOf(node)?.name ?? ''
  if (relation?.kind === 'function') {
    const isFirst = name === (relation.columns[0] ?? relation.alias)
    return isFirst ? timeType(relation.call?.[0], select) : undefined
  }
  if (relation?.kind === 'cte' && relation.query === undefined) return undefined
  if (name.endsWith('_at')) return 'instant'
  return /_(?:on|date)$/.test(name) ? 'date' : undefined
}
