/** The operands from which the value of an expression is computed. Knows no database. */
import type { Node } from 'libpg-query'
import { as, namesOf } from '../../definitions/sql/syntax-tree.ts'
import { alternativesOf, CHOOSING, numberOf, typeOf } from '../sql/expressions.ts'

/**
 * How a value is rounded. `freight::numeric` rounds a float to its digits and returns the decimal that was stored;
 * `round(freight * 100)` rounds to an integer and returns the same amount in kopecks.
 */
export type Rounding = 'none' | 'digits' | 'text' | 'whole'

export interface Operand {
  readonly node: Node
  readonly rounding: Rounding
  /** Whether the expression returns this operand or another one, apart from sign and rounding. */
  readonly isSame: boolean
}

/** Functions that return values of their arguments, besides those that return one of them. */
const COLLECTING = new Set(['mode', 'array_agg', 'unnest'])
/** Functions whose value does not derive from their arguments, or that a text rule already reports as double. */
const UNRELATED =
  /^(count|row_number|(dense_)?rank|ntile|width_bucket|date_part|sqrt|cbrt|exp|ln|power)$/

/** Empty for a column. @param isWhole whether an expression has an integer type */
export function operandsOf(
  node: Node,
  rounding: Rounding,
  isWhole: (node: Node) => boolean,
): Operand[] {
  const operands = (nodes: ReadonlyArray<Node | undefined>, own: Rounding, isSame: boolean) =>
    nodes.flatMap(one => (one === undefined ? [] : [{ node: one, rounding: own, isSame }]))
  const cast = as(node, 'TypeCast')
  if (cast !== undefined)
    return operands([cast.arg], roundingOf(typeOf(cast.typeName), rounding), true)

  const { kind, name, lexpr, rexpr } = as(node, 'A_Expr') ?? {}
  if (kind === 'AEXPR_OP' && lexpr === undefined) return operands([rexpr], rounding, true)
  if (kind === 'AEXPR_OP') {
    const sign = namesOf(name).at(-1) ?? ''
    const hasInteger = [lexpr, rexpr].some(
      one => one !== undefined && (/^-?\d+$/.test(numberOf(one) ?? '') || isWhole(one)),
    )
    const keepsWhole = sign === '+' || sign === '-' || (sign === '*' && hasInteger)
    return operands([lexpr, rexpr], rounding === 'whole' && keepsWhole ? 'whole' : 'none', false)
  }

  const call = as(node, 'FuncCall')
  if (call !== undefined) {
    const { args = [], agg_order: order = [], agg_within_group: within } = call
    const called = namesOf(call.funcname).at(-1) ?? ''
    if (UNRELATED.test(called)) return []
    if (called === 'round' && args.length === 1) return operands(args, 'whole', false)
    const ordered = within === true ? order.map(one => as(one, 'SortBy')?.node) : []
    const isChosen = CHOOSING.includes(called) || COLLECTING.has(called)
    return operands([...args, ...ordered], isChosen ? rounding : 'none', isChosen)
  }
  const { arg: array } = as(node, 'A_Indirection') ?? {}
  const { elements = [] } = as(node, 'A_ArrayExpr') ?? {}
  return operands([...alternativesOf(node), array, ...elements], rounding, true)
}

function roundingOf(type: string, rounding: Rounding): Rounding {
  if (/^int[248]$/.test(type)) return 'whole'
  // why: a text has all digits of the float, whatever it is cast to later
  if (/^(text|varchar)$/.test(type)) return 'text'
  return type === 'numeric' ? 'digits' : rounding
}
