import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { callOf, callsIn, isOrdered, type Call } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { calls, onEach, type Scope } from './text-rule.ts'

const WINDOWS = 'row_number rank dense_rank ntile lag lead first_value last_value nth_value'.split(
  ' ',
)

export const unorderedWindow: Rule = {
  id: 'unordered-window',
  level: 'warning',
  sentence: 'A window, or an aggregate that makes a list, without an order.',
  bad: ', row_number() over () as place',
  good: ', row_number() over (order by sales.id) as place',
  find: onEach(
    scope => {
      const isUnordered = ({ node: { over } }: Call) => over && !isOrdered(over, scope.select.node)
      const lists = listsIn(scope).filter(
        one =>
          !one.node.agg_order && !one.node.agg_distinct && (!one.node.over || isUnordered(one)),
      )
      return [...calls(...WINDOWS)(scope).filter(isUnordered), ...lists]
    },
    ({ name }) =>
      `${name}() without an order by depends on chance, expected an order that ends in a unique key`,
  ),
}

/** Aggregates that build texts or lists. */
function listsIn({ expressions, select: { relations, node } }: Scope) {
  // why: by PostgreSQL's manual, an aggregate over one ordered subquery uses its order
  const [relation, ...others] = relations
  const isSorted = others.length === 0 && relation?.query?.node.sortClause !== undefined
  if (isSorted && node.groupClause === undefined) return []
  const arrays = nodesOf(expressions, 'A_Indirection', { subqueries: false })
  return [
    ...callsIn(expressions, ['string_agg', 'json_agg', 'jsonb_agg'], { subqueries: false }),
    // why: in x = any (array_agg(y)) the order does not matter
    ...arrays.flatMap(({ arg }) => callOf(arg, ['array_agg']) ?? []),
  ]
}
