/** Bounds that a definition sets with placeholders of the period, in any spelling. */
import type { A_Expr, Node } from 'libpg-query'
import type { Placeholder } from '../../../definitions/definition.ts'
import { as, namesOf, nodesOf, walk, type Visited } from '../../../definitions/sql/syntax-tree.ts'
import { valuesBehind } from '../origins.ts'
import {
  callOf,
  MIRRORED,
  operatorOf,
  placeholderOf,
  typeOf,
  withoutCasts,
} from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import { inEachSelect, type Draft } from './draft.ts'
import { columnNames, type Scope } from './text-rule.ts'

export const STARTS: ReadonlySet<string> = new Set<Placeholder>(['period_start', 'period_start_at'])
export const ENDS: ReadonlySet<string> = new Set<Placeholder>(['period_end', 'period_end_at'])
export const TODAYS: ReadonlySet<string> = new Set<Placeholder>(['as_of', 'today', 'now'])

/** `:period_end`, or `:period_end - 1` as a placeholder with an offset. */
interface Endpoint {
  readonly placeholder: Placeholder
  readonly operator?: string | undefined
  readonly by?: Node | undefined
}

/** A comparison by order, seen from one side; `between` gives two. */
export interface Side {
  readonly left: Node
  /** The operator with the other side on its right and `not` resolved: `<` for `not (x >= :period_end)`. */
  readonly sign: string
  /** The operator as written: `<`, `not >=`. */
  readonly spelling: string
  readonly right: Node
  readonly node: A_Expr
}

/** A comparison of columns with a placeholder. */
export interface Bound extends Side, Endpoint {
  readonly scope: Scope
  /** The name of the column: bounds of one name are taken for bounds of one column. */
  readonly column: string
}

const known = new WeakMap<Draft, readonly Bound[]>()

/** The bounds of the statement and of totals. */
export function boundsOf(draft: Draft): readonly Bound[] {
  const bounds =
    known.get(draft) ??
    inEachSelect(draft, (expressions, select, part) =>
      boundsIn(expressions, { draft, part, select, expressions }),
    )
  known.set(draft, bounds)
  return bounds
}

/** Only bounds of columns: `:period_end > :period_start` bounds nothing. */
function boundsIn(root: unknown, scope: Scope): Bound[] {
  const { select } = scope
  return sidesIn(root).flatMap(side => {
    const endpoint = endpointOf(side.right, select)
    const column = columnNames(side.left)[0]
    if (endpoint === undefined || column === undefined) return []
    return endpointOf(side.left, select) === undefined
      ? [{ ...side, ...endpoint, scope, column }]
      : []
  })
}

const NEGATED: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' }

/** Comparisons at any depth except in subqueries, each from both sides. */
export function sidesIn(root: unknown): Side[] {
  const sides: Side[] = []
  walk(root, visited => {
    if (visited.kind === 'SelectStmt') return false
    if (visited.kind === 'A_Expr') sides.push(...sidesOf(visited.node, isNegated(visited.above)))
    return true
  })
  return sides
}

function sidesOf(node: A_Expr, negated: boolean): Side[] {
  const { kind, lexpr: left, rexpr: right } = node
  if (left === undefined || right === undefined) return []
  const side = (from: Node, written: string, to: Node): Side[] => {
    const sign = negated ? NEGATED[written] : written
    if (sign === undefined || (sign !== '=' && MIRRORED[sign] === undefined)) return []
    return [{ left: from, sign, spelling: negated ? `not ${written}` : written, right: to, node }]
  }
  if (kind === 'AEXPR_BETWEEN' && !negated) {
    const [least, most] = as(right, 'List')?.items ?? []
    return least && most ? [...side(left, '>=', least), ...side(left, '<=', most)] : []
  }
  const sign = namesOf(node.name).at(-1) ?? ''
  if (kind !== 'AEXPR_OP') return []
  return [...side(left, sign, right), ...side(right, MIRRORED[sign] ?? sign, left)]
}

/** Whether an odd number of `not` surrounds it. */
function isNegated(above: Visited | undefined): boolean {
  if (above?.kind !== 'BoolExpr') return false
  const isNot = (above.node as { boolop?: string }).boolop === 'NOT_EXPR'
  return isNot !== isNegated(above.above)
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
  const [made, ...others] = valuesBehind(inner, select)
  if (made !== undefined) return others.length === 0 ? endpointOf(...made) : undefined
  const operator = operatorOf(inner)
  const { lexpr, rexpr: by } = as(inner, 'A_Expr') ?? {}
  const base = operator === '+' || operator === '-' ? endpointOf(lexpr, select) : undefined
  return base === undefined || base.by !== undefined ? undefined : { ...base, operator, by }
}

/** The first moment or day after the period. */
export function nextTo(end: Placeholder): string {
  return end.endsWith('_at') ? 'the moment' : 'the day'
}

/** Whether an expression has an interval, so that a date with it becomes an instant. */
export function hasInterval(root: unknown): boolean {
  return nodesOf(root, 'TypeCast').some(({ typeName }) => typeOf(typeName) === 'interval')
}
