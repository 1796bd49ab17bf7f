/** Which expressions are days and which are instants, by the text; table columns are judged by name. */
import type { Node } from 'libpg-query'
import type { Placeholder } from '../../../definitions/definition.ts'
import { as, nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { sourceOf } from '../../sql/columns.ts'
import {
  callsIn,
  columnOf,
  operatorOf,
  placeholderOf,
  stringOf,
  typeOf,
} from '../../sql/expressions.ts'
import type { Select } from '../../sql/relations.ts'
import { choicesOf, perNode } from './choices.ts'

/** `local` is a timestamp without time zone. */
export type TimeType = 'date' | 'local' | 'instant'

const CAST_TYPES: Readonly<Record<string, TimeType>> = {
  date: 'date',
  timestamp: 'local',
  timestamptz: 'instant',
}

/** Types to which a cast converts an instant in the session time zone. */
export const DAYS: ReadonlySet<string> = new Set(['date', 'timestamp', 'time'])

/** Units that begin at the same instants in all whole-hour time zones. */
export const SMALL = /^(?:hour|minute|(?:milli|micro)?second)s?$/i

/** Undefined if the text does not show the type. */
export const typeOfTime = perNode((node, select): TimeType | undefined => {
  const cast = as(node, 'TypeCast')
  if (cast !== undefined) return CAST_TYPES[typeOf(cast.typeName)]
  const placeholder = placeholderOf(node)
  if (placeholder !== undefined) return typeOfPlaceholder(placeholder)
  const operator = operatorOf(node)
  if (operator === '+' || operator === '-') return typeOfSum(node, select)
  const choices = choicesOf(node, select)
  if (choices.length === 0)
    return 'FuncCall' in node ? typeOfCall(node, select) : typeOfColumn(node, select)
  const types = choices.map(choice => typeOfTime(...choice))
  // why: PostgreSQL converts the other choices to an instant
  const hasInstantPlaceholder = choices.some(
    ([choice], at) => types[at] === 'instant' && placeholderOf(choice) !== undefined,
  )
  const [type, ...others] = new Set(types.filter(one => one !== undefined))
  return hasInstantPlaceholder ? 'instant' : others.length === 0 ? type : undefined
})

function typeOfPlaceholder(name: Placeholder): TimeType | undefined {
  if (name === 'now' || name.endsWith('_at')) return 'instant'
  return name.startsWith('period') || name === 'as_of' || name === 'today' ? 'date' : undefined
}

function typeOfCall(node: Node, select: Select): TimeType | undefined {
  const [{ name, args } = { name: '', args: [] }] = callsIn(node)
  const [first, second, third] = args
  const type = typeOfTime(second, select)
  switch (name) {
    case 'timezone':
      return type === 'local' ? 'instant' : undefined
    case 'date_trunc': {
      // why: another rule reports truncation to days in the session time zone
      const isAlike = third !== undefined || SMALL.test(stringOf(first) ?? '')
      return type === 'instant' ? (isAlike ? type : undefined) : type && 'local'
    }
    case 'generate_series':
      return typeOfTime(first, select) === 'date' ? 'local' : typeOfTime(first, select)
    case 'date':
    case 'make_date':
      return 'date'
    default:
      return undefined
  }
}

/** A time plus an interval or a number of days; a difference of times is not a time. */
function typeOfSum(node: Node, select: Select): TimeType | undefined {
  const { lexpr, rexpr } = as(node, 'A_Expr') ?? {}
  const [left, right] = [typeOfTime(lexpr, select), typeOfTime(rexpr, select)]
  if (left !== undefined && right !== undefined) return undefined
  const type = operatorOf(node) === '+' ? (left ?? right) : left
  const hasInterval = nodesOf([lexpr, rexpr], 'TypeCast').some(
    ({ typeName }) => typeOf(typeName) === 'interval',
  )
  return type === 'date' && hasInterval ? 'local' : type
}

function typeOfColumn(node: Node, select: Select): TimeType | undefined {
  const { relation, name = columnOf(node)?.name } = sourceOf(node, select) ?? {}
  // why: in `as days (day, number)` only the first column is the function's result
  if (relation?.kind === 'function') {
    const { call, columns, alias } = relation
    return name === (columns[0] ?? alias) ? typeOfTime(call?.[0], select) : undefined
  }
  // why: a recursive CTE's own columns have the type of its first select
  return relation?.kind === 'cte' && relation.query === undefined ? undefined : typeByName(name)
}

/** By name: `moved_at` is an instant, `paid_on` and `operation_date` are dates. */
function typeByName(name = ''): TimeType | undefined {
  if (name.endsWith('_at')) return 'instant'
  return /_(?:on|date)$/.test(name) ? 'date' : undefined
}
