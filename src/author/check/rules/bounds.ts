/** Bounds that a definition sets with placeholders of the period. */
import type { Node } from 'libpg-query'
import type { Placeholder } from '../../../definitions/definition.ts'
import { as, nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { behind } from '../origins.ts'
import {
  callOf,
  operatorOf,
  placeholderOf,
  typeOf,
  withoutCasts,
  type Comparison,
} from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import { scopesOf, type Draft, type Scope } from './draft.ts'
import { columnNames, comparisons } from './rule.ts'

export const STARTS: ReadonlySet<string> = new Set<Placeholder>(['period_start', 'period_start_at'])
export const ENDS: ReadonlySet<string> = new Set<Placeholder>(['period_end', 'period_end_at'])
export const TODAYS: ReadonlySet<string> = new Set<Placeholder>(['as_of', 'today', 'now'])

/** `:period_end`, or `:period_end - 1` as a placeholder with an offset. */
interface Endpoint {
  readonly placeholder: Placeholder
  readonly operator?: string | undefined
  readonly by?: Node | undefined
}

/** A comparison of a column, on its left, with a placeholder. */
export interface Bound extends Comparison, Endpoint {
  readonly scope: Scope
  /** The name of the column: bounds of one name are taken for bounds of one column. */
  readonly column: string
}

export function boundsIn(scope: Scope): Bound[] {
  return comparisons(scope).flatMap(compared => {
    const endpoint = endpointOf(compared.right, scope.select)
    const [column] = columnNames(compared.left)
    // why: `:period_end > :period_start` bounds nothing
    const isNone = column === undefined || endpointOf(compared.left, scope.select) !== undefined
    return isNone || endpoint === undefined ? [] : [{ ...compared, ...endpoint, scope, column }]
  })
}

/** The bounds of the statement and of totals. */
export function boundsOf(draft: Draft): Bound[] {
  return scopesOf(draft).flatMap(boundsIn)
}

/** Whether it is one of these placeholders without an offset. */
export function isPlain(
  endpoint: Endpoint | undefined,
  placeholders: ReadonlySet<string>,
): endpoint is Endpoint {
  return endpoint?.by === undefined && placeholders.has(endpoint?.placeholder ?? '')
}

/** A placeholder with casts, in a time zone, as a column of a CTE, or with an offset. */
export function endpointOf(node: Node | undefined, select: Select): Endpoint | undefined {
  const inner = withoutCasts(node)
  const placeholder = placeholderOf(inner)
  if (placeholder !== undefined) return { placeholder }
  const zoned = callOf(inner, ['timezone'])
  if (zoned !== undefined) return endpointOf(zoned.args[1], select)
  const made = behind(inner, select)
  if (made !== undefined) return endpointOf(...made)
  const operator = operatorOf(inner)
  const { lexpr, rexpr: by } = as(inner, 'A_Expr') ?? {}
  const base = operator === '+' || operator === '-' ? endpointOf(lexpr, select) : undefined
  return base === undefined || base.by !== undefined ? undefined : { ...base, operator, by }
}

/** Whether an expression has an interval, so that a date with it becomes an instant. */
export function hasInterval(root: unknown): boolean {
  return nodesOf(root, 'TypeCast').some(({ typeName }) => typeOf(typeName) === 'interval')
}
