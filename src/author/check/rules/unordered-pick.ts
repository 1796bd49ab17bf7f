import type { Node } from 'libpg-query'
import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { callOf, isAggregated, isNull } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { calls, onEach, type Scope } from './text-rule.ts'

const WINDOWS = ['row_number', 'rank', 'ntile', 'lag', 'lead', 'first_value', 'last_value']
const LISTS = ['string_agg', 'json_agg', 'jsonb_agg']

export const unorderedPick: Rule = {
  id: 'unordered-pick',
  level: 'warning',
  sentence: '`limit`, `distinct on`, a window or a list without an order takes rows by chance.',
  bad: ', (select notes.text from notes limit 1) as note',
  good: ', (select notes.text from notes order by notes.id limit 1) as note',
  find: onEach(
    scope => [...limits(scope), ...functions(scope)],
    ({ word }) =>
      `${word} without an order by takes rows by chance, expected an order that ends in a unique key`,
  ),
}

function limits({ select: { node, query, items }, draft }: Scope) {
  const isOneRow = node.groupClause === undefined && items.some(one => isAggregated(one.expression))
  // why: `exists (select ... limit 1)` tests for any row
  if (isOneRow || query.holder === 'exists') return []
  const whole = query.selects[0]?.node === node ? query.node : node
  return [...new Set([node, whole])].flatMap(({ sortClause, limitCount, distinctClause = [] }) => {
    const found: Array<{ word: string; node: Node }> = []
    // why: loading reports a report without an order
    if (sortClause !== undefined || (draft.report !== undefined && whole === draft.query.node))
      return found
    if (limitCount !== undefined && !isNull(limitCount))
      found.push({ word: 'limit', node: limitCount })
    const [key] = distinctClause
    if (Object.keys(key ?? {}).length > 0) found.push({ word: 'distinct on', node: key! })
    return found
  })
}

function functions(scope: Scope) {
  // why: by PostgreSQL's manual, an aggregate over one ordered subquery uses its order
  const [relation] = scope.select.relations
  const isSorted = relation?.query?.node.sortClause !== undefined
  const first = nodesOf(scope.expressions, 'A_Indirection', { subqueries: false })
  const lists = [
    ...calls(...LISTS)(scope),
    ...first.flatMap(({ arg }) => callOf(arg, ['array_agg']) ?? []),
  ].filter(({ node }) => !isSorted && !node.agg_order && node.agg_distinct !== true && !node.over)
  const windows = calls(...WINDOWS)(scope).filter(
    ({ node: { over } }) => !over?.orderClause && !over?.name && !over?.refname,
  )
  return [...lists, ...windows].map(({ name, node }) => ({ word: `${name}()`, node }))
}
