import { as } from '../../../definitions/sql/syntax-tree.ts'
import { isAggregated } from '../../sql/expressions.ts'
import { keywordBefore } from '../../sql/keyword-before.ts'
import { limitOf } from './limit.ts'
import type { Rule } from './rule.ts'
import { onEach, type Scope } from './text-rule.ts'

export const unorderedPick: Rule = {
  id: 'unordered-pick',
  level: 'warning',
  sentence: '`limit` or `distinct on` without an order takes rows by chance.',
  bad: ', (select notes.text from notes limit 1) as note',
  good: ', (select notes.text from notes order by notes.id limit 1) as note',
  find: onEach(
    scope => [...limits(scope), ...distincts(scope)],
    ({ word }) =>
      `${word} without an order by takes rows by chance, expected an order that ends in a unique key`,
  ),
}

function limits({ select: { node, query, items }, draft }: Scope) {
  const isFirst = query.selects[0]?.node === node
  const all = new Set(isFirst ? [query.node, node] : [node])
  const isConstant = node.targetList?.every(one => as(as(one, 'ResTarget')?.val, 'A_Const'))
  const isOneRow = node.groupClause === undefined && items.some(one => isAggregated(one.expression))
  // why: `exists (select ... limit 1)` tests for any row
  if (isOneRow || query.holder === 'exists' || isConstant === true) return []
  return [...all].flatMap(one => {
    // why: loading reports a report without an order
    const isOfReport = draft.report !== undefined && one === draft.query.node
    return one.sortClause !== undefined || isOfReport ? [] : (limitOf(one) ?? [])
  })
}

function distincts({ select: { node }, part }: Scope) {
  const [key] = node.sortClause === undefined ? (node.distinctClause ?? []) : []
  if (key === undefined || Object.keys(key).length === 0) return []
  return [{ word: 'distinct on', node: keywordBefore(part.sql, key, 'select') }]
}
