import { callsIn, isAggregated } from '../../sql/expressions.ts'
import { everyQuery, everySelect, expressionsOf, type Query } from '../statement.ts'
import type { Rule } from './rule.ts'

export const unionRule: Rule = {
  id: 'union',
  level: 'warning',
  sentence: '`union` drops equal rows, whose amounts are added up later.',
  bad: 'select sum(x.amount) from (select s.amount from sales as s where s.day < :period_end union select r.amount from returns as r) as x',
  good: 'select sum(x.amount) from (select s.amount from sales as s where s.day < :period_end union all select r.amount from returns as r) as x',
  find: ({ query, statement, totals }) => {
    const isSummed = (united: Query) =>
      (united === query && totals.length > 0) ||
      everySelect(query).some(
        select =>
          select.relations.some(one => one.query === united) &&
          callsIn(expressionsOf(select), ['sum', 'avg']).length > 0,
      )
    return everyQuery(query).flatMap(united => {
      const isPlain = united.selects.every(
        ({ node, items }) =>
          node.groupClause === undefined &&
          node.distinctClause === undefined &&
          !items.some(({ name, expression }) => name === 'id' || isAggregated(expression)),
      )
      if (!isPlain || !isSummed(united)) return []
      return united.unions.flatMap(({ isAll, right }) => {
        const message =
          'union drops rows that are equal, and their amounts with them, expected union all'
        return isAll ? [] : [{ line: statement.line(right.node), message }]
      })
    })
  },
}
