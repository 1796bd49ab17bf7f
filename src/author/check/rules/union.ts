import { callsIn, isAggregated } from '../../sql/expressions.ts'
import { everyQuery, everySelect, expressionsOf, type Query, type Select } from '../statement.ts'
import type { Rule } from './rule.ts'

export const unionRule: Rule = {
  sentence: '`union` drops equal rows, whose amounts are added up later.',
  bad: 'select sum(x.amount) from (select s.amount from sales as s where s.day < :period_end union select r.amount from returns as r) as x',
  good: 'select sum(x.amount) from (select s.amount from sales as s where s.day < :period_end union all select r.amount from returns as r) as x',
  find: ({ query, statement, totals }) => {
    const sums = everySelect(query).filter(
      select => callsIn(expressionsOf(select), ['sum', 'avg']).length > 0,
    )
    const isSummed = (united: Query) =>
      (united === query && totals.length > 0) ||
      sums.some(({ relations }) => relations.some(one => one.query === united))
    const message =
      'union drops rows that are equal, and their amounts with them, expected union all'
    return everyQuery(query).flatMap(united =>
      united.unions.flatMap(({ isAll, right }) =>
        !isAll && isSummed(united) && united.selects.every(isPlain)
          ? [{ line: statement.line(right.node), message }]
          : [],
      ),
    )
  },
}

/** Whether equal rows of it may be different ones. */
function isPlain({ node, items }: Select): boolean {
  const isKey = items.some(({ name, expression }) => name === 'id' || isAggregated(expression))
  return node.groupClause === undefined && node.distinctClause === undefined && !isKey
}
