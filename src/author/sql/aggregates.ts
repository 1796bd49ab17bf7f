/** Recognizes aggregate calls and set-returning functions. */
import type { FuncCall, Node } from 'libpg-query'
import { namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { callsIn } from './expressions.ts'

const AGGREGATES = new Set(
  'sum count avg min max array_agg string_agg json_agg jsonb_agg json_object_agg jsonb_object_agg bool_and bool_or every any_value mode percentile_cont percentile_disc stddev stddev_pop stddev_samp variance var_pop var_samp range_agg bit_and bit_or corr'.split(
    ' ',
  ),
)
const SETS =
  /^(?:generate_series|generate_subscripts|unnest|regexp_matches|regexp_split_to_table|string_to_table|jsonb?_(?:array_elements|each|object_keys|path_query).*)$/
export function isAggregate({ funcname, over, agg_filter: filter, ...call }: FuncCall): boolean {
  const isMarked =
    filter !== undefined ||
    call.agg_star === true ||
    call.agg_distinct === true ||
    call.agg_within_group === true
  return over === undefined && (isMarked || AGGREGATES.has(namesOf(funcname).at(-1) ?? ''))
}

export function isAggregated(expression: Node): boolean {
  return nodesOf(expression, 'FuncCall', { subqueries: false }).some(isAggregate)
}

export function makesRows(expressions: readonly Node[]): boolean {
  return callsIn(expressions, undefined, { subqueries: false }).some(({ name }) => SETS.test(name))
}
