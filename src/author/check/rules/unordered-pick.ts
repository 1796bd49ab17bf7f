import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { callOf, isNull } from '../../sql/expressions.ts'
import { calls, onEach, type Rule } from './rule.ts'
import { isOneRow } from '../statement.ts'
import type { Scope } from './draft.ts'

const WINDOWS = ['row_number', 'rank', 'ntile', 'lag', 'lead', 'first_value', 'last_value']
const LISTS = ['string_agg', 'json_agg', 'jsonb_agg']

export const unorderedPick: Rule = {
  sentence: '`limit`, `distinct on`, a window or a list without an order takes rows by chance.',
  bad: ', (select notes.text from notes limit 1) as note',
  good: ', (select notes.text from notes order by notes.id limit 1) as note',
  find: onEach(
    scope => [...limits(scope), ...functions(scope)],
    ({ word }) =>
      `${word} without an order by takes rows by chance, expected an order that ends in a unique key`,
  ),
}

function limits({ select, draft }: Scope) {
  const { node, query, items } = select
  // why: any row will do for `exists (select ... limit 1)` and for `(select true from ... limit 1)`
  const isAnyRow = query.isExists || nodesOf(items, 'ColumnRef').length === 0
  if (isOneRow(select) || isAnyRow) return []
  const whole = query.selects[0]?.node === node ? query.node : node
  return [...new Set([node, whole])].flatMap(one => {
    const { sortClause, limitCount, distinctClause: [key] = [] } = one
    // why: loading reports a report without an order
    const isOfLoading = draft.report !== undefined && one === draft.query.node
    if (sortClause !== undefined || isOfLoading) return []
    const limit = isNull(limitCount) ? undefined : limitCount
    const distinct = Object.keys(key ?? {}).length > 0 ? key : undefined
    const words = [
      { word: 'limit', node: limit },
      { word: 'distinct on', node: distinct },
    ]
    return words.filter(found => found.node !== undefined)
  })
}

function functions(scope: Scope) {
  const {
    relations,
    node: { windowClause = [] },
  } = scope.select
  // why: by PostgreSQL's manual, an aggregate over one ordered subquery uses its order
  const isSorted = relations[0]?.query?.node.sortClause !== undefined
  const first = nodesOf(scope.expressions, 'A_Indirection', { subqueries: false })
  const lists = [
    ...calls(...LISTS)(scope),
    ...first.flatMap(({ arg }) => callOf(arg, ['array_agg']) ?? []),
  ].filter(({ node }) => !isSorted && !node.agg_order && node.agg_distinct !== true && !node.over)
  const ordered = nodesOf(windowClause, 'WindowDef').filter(one => one.orderClause !== undefined)
  const windows = calls(...WINDOWS)(scope).filter(
    ({ node: { over: { orderClause, name, refname } = {} } }) =>
      !orderClause && !ordered.some(one => one.name === (name ?? refname)),
  )
  return [...lists, ...windows].map(({ name, node }) => ({ word: `${name}()`, node }))
}
