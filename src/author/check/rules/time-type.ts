/** Which expressions are days and which are instants: columns of tables by the catalog, without a database by their names. */
import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { behind, relationOf } from '../origins.ts'
import {
  callOf,
  columnOf,
  operatorOf,
  placeholderOf,
  stringOf,
  typeOf,
  withoutCasts,
} from '../../sql/expressions.ts'
import { plainType } from '../../sql/catalog-tables.ts'
import { tableColumn } from '../column-types.ts'
import type { Select } from '../statement.ts'
import { hasInterval } from './bounds.ts'
import type { Draft } from './draft.ts'

/** Timestamps without time zone are `utc` in columns of tables, because sessions and most products use it, else `local`. */
export type TimeType = 'date' | 'local' | 'utc' | 'instant'

type Types = Pick<Draft, 'findTable'>

/** Of casts and of columns. */
const TYPES: Readonly<Record<string, TimeType>> = {
  date: 'date',
  timestamp: 'local',
  timestamptz: 'instant',
  'timestamp without time zone': 'utc',
  'timestamp with time zone': 'instant',
}

/** Placeholders of dates. */
export const DAYS = new Set(['period_start', 'period_end', 'as_of', 'today'])

/** Placeholders of the same time as an instant and as a date. */
export const OTHER: Readonly<Record<string, string>> = {
  period_start: 'period_start_at',
  period_end: 'period_end_at',
  period_start_at: 'period_start',
  period_end_at: 'period_end',
  now: 'today',
}

/** Functions that return one of their arguments. */
const CHOOSING = 'min max lag lead first_value last_value nth_value any_value'.split(' ')

/** Undefined if it is not known. */
export function timeType(
  node: Node | undefined,
  select: Select,
  draft: Types,
): TimeType | undefined {
  const typed = (one: Node | undefined, within = select) => timeType(one, within, draft)
  if (node === undefined) return undefined
  const cast = as(node, 'TypeCast')
  if (cast !== undefined) {
    const type = TYPES[typeOf(cast.typeName)]
    return type === 'local' && typed(cast.arg) === 'utc' ? 'utc' : type
  }
  const placeholder = placeholderOf(node)
  if (placeholder !== undefined && DAYS.has(placeholder)) return 'date'
  if (placeholder !== undefined) return /^now$|_at$/.test(placeholder) ? 'instant' : undefined
  const operator = operatorOf(node)
  if (operator === '+' || operator === '-') {
    const { lexpr, rexpr } = as(node, 'A_Expr') ?? {}
    const [left, right] = [typed(lexpr), typed(rexpr)]
    const type = operator === '+' ? (left ?? right) : left
    // why: a difference of times is no time
    if (left !== undefined && right !== undefined) return undefined
    return type === 'date' && hasInterval([lexpr, rexpr]) ? 'local' : type
  }
  const [zone, operand] = callOf(node, ['timezone'])?.args ?? []
  if (zone !== undefined) {
    const type = typed(operand)
    if (type === 'local' || type === 'utc') return 'instant'
    const isUtc = draft.findTable !== undefined && /^utc$/i.test(stringOf(withoutCasts(zone)) ?? '')
    return type === 'instant' && isUtc ? 'utc' : undefined
  }
  if (callOf(node, ['date', 'make_date']) !== undefined) return 'date'
  const series = callOf(node, ['generate_series'])
  const first = typed(series?.args[0])
  if (series !== undefined) return first === 'date' ? 'local' : first
  const made = behind(node, select)
  if (made !== undefined) return typed(...made)
  const chosen = as(node, 'CoalesceExpr') ?? as(node, 'MinMaxExpr') ?? callOf(node, CHOOSING)
  const types = (chosen?.args ?? []).map(one => typed(one))
  // why: PostgreSQL converts the other choices to an instant
  if (types.length > 0) return types.includes('instant') ? 'instant' : types.find(Boolean)
  return ofColumn(node, select, draft)
}

/** Without a database by name: `moved_at` is an instant, `paid_on` and `operation_date` are dates. */
function ofColumn(node: Node, select: Select, draft: Types): TimeType | undefined {
  const relation = relationOf(node, select)
  const name = columnOf(node)?.name ?? ''
  if (relation?.kind === 'function') {
    const isFirst = name === (relation.columns[0] ?? relation.alias)
    return isFirst ? timeType(relation.call?.[0], select, draft) : undefined
  }
  if (relation?.kind === 'cte' && relation.query === undefined) return undefined
  const { findTable } = draft
  if (findTable !== undefined)
    return TYPES[plainType(tableColumn(node, select, findTable)?.column.type ?? '')]
  if (name.endsWith('_at')) return 'instant'
  return /_(?:on|date)$/.test(name) ? 'date' : undefined
}

/**
 * SQL to paste, made of the local date and time of an instant.
 * @param made such as `local => `(${local})::date``
 */
export function byLocalTime(
  written: string,
  type: TimeType,
  { findTable }: Types,
  made: (local: string) => string,
): string {
  const ofInstant = made(`${written} at time zone :time_zone`)
  // why: `at time zone :time_zone` alone takes a timestamp for a local time
  const ofUtc = made(`${written} at time zone 'UTC' at time zone :time_zone`)
  if (type === 'utc') return ofUtc
  return findTable === undefined
    ? `${ofInstant}, of a timestamp without time zone ${ofUtc}`
    : ofInstant
}
