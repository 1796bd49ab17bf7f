import { contributorsOf } from '../origins.ts'
import { callsIn, isAggregated, numberOf, stringOf } from '../../sql/expressions.ts'
import { keywordBefore } from '../../sql/keyword-before.ts'
import { everyQuery } from '../statement.ts'
import type { Select } from '../statement.ts'
import { inEachSelect } from './draft.ts'
import type { Rule } from './rule.ts'

export const unionRule: Rule = {
  id: 'union',
  level: 'warning',
  sentence: '`union` drops equal rows, whose amounts are added up later.',
  bad: 'select sum(x.amount) from (select s.amount from sales as s where s.day < :period_end union select r.amount from returns as r) as x',
  good: 'select sum(x.amount) from (select s.amount from sales as s where s.day < :period_end union all select r.amount from returns as r) as x',
  find: draft => {
    const { query, statement } = draft
    const summed = new Set(
      inEachSelect(draft, (expressions, select) =>
        callsIn(expressions, ['sum', 'avg'], { subqueries: false })
          .flatMap(({ args }) => args.flatMap(arg => contributorsOf(arg, select)))
          .map(([expression]) => expression),
      ),
    )
    return everyQuery(query).flatMap(({ selects, unions }) => {
      const amount = selects[0]?.items.find(item => summed.has(item.expression))?.name
      if (amount === undefined || selects.every(isDistinct) || differ(selects)) return []
      return unions.flatMap(({ isAll, right }) => {
        const message = `union drops rows that are equal, and their ${amount} with them, expected union all`
        const line = statement.line(keywordBefore(statement.sql, right.node, 'union'))
        return isAll ? [] : [{ line, message }]
      })
    })
  },
}

function isDistinct({ node, items }: Select): boolean {
  const isGrouped = node.groupClause !== undefined || node.distinctClause !== undefined
  return isGrouped || items.some(({ name }) => name === 'id')
}

/** Whether each select is one row with a constant of its own. */
function differ(selects: readonly Select[]): boolean {
  const constants = selects.map(({ items }) =>
    items.map(({ expression }) => stringOf(expression) ?? numberOf(expression)).find(Boolean),
  )
  const areRows = selects.every(({ items }) => items.some(one => isAggregated(one.expression)))
  return areRows && !constants.includes(undefined) && new Set(constants).size === selects.length
}
