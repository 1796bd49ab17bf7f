/** Recognizes aggregate calls and set-returning functions. */
import type { FuncCall, Node } from 'libpg-query'
import { namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { callsIn } from './expressions.ts'

const AGGREGATES =
  /^(?:sum|count|avg|min|max|every|mode|any_value|xmlagg|corr|(?:array|string|range|range_intersect)_agg|jsonb?(?:_object)?_agg(?:_unique)?(?:_strict)?|bool_(?:and|or)|bit_(?:and|or|xor)|percentile_(?:cont|disc)|stddev|variance|(?:stddev|var|covar)_(?:pop|samp)|regr_\w+)$/
/** `json_arrayagg` and `json_objectagg` have nodes of their own. */
const JSON_AGGREGATES = ['JsonArrayAgg', 'JsonObjectAgg'] as const
const SETS =
  /^(?:generate_series|generate_subscripts|unnest|regexp_matches|regexp_split_to_table|string_to_table|jsonb?_(?:array_elements|each|object_keys|path_query).*)$/
export function isAggregate({ funcname, over, agg_filter: filter, ...call }: FuncCall): boolean {
  const isMarked =
    filter !== undefined ||
    call.agg_star === true ||
    call.agg_distinct === true ||
    call.agg_within_group === true
  return over === undefined && (isMarked || AGGREGATES.test(namesOf(funcname).at(-1) ?? ''))
}

export function isAggregated(expression: Node): boolean {
  const own = { subqueries: false }
  return (
    nodesOf(expression, 'FuncCall', own).some(isAggregate) ||
    JSON_AGGREGATES.some(kind => nodesOf(expression, kind, own).length > 0)
  )
}

export function makesRows(expressions: readonly Node[]): boolean {
  return callsIn(expressions, undefined, { subqueries: false }).some(({ name }) => SETS.test(name))
}
