import type { Node } from 'libpg-query'
import { namesOf } from '../../../definitions/sql/syntax-tree.ts'
import { contributorsOf } from '../origins.ts'
import { callsIn, columnOf, contributing, multiplies, isOrdered } from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import type { Rule } from './rule.ts'
import { calls, onEach } from './text-rule.ts'

const KINDS: Readonly<Record<string, string>> = {
  avg: 'averages',
  percentile_cont: 'averages',
  percentile_disc: 'averages',
  mode: 'averages',
  row_number: 'ranks',
  rank: 'ranks',
  dense_rank: 'ranks',
  ntile: 'ranks',
  percent_rank: 'ranks',
  cume_dist: 'ranks',
}

export const sumOfRatios: Rule = {
  id: 'sum-of-ratios',
  level: 'warning',
  sentence: 'The total adds up averages, ranks or running totals.',
  bad: ', avg(sales.amount) as amount',
  good: ', sum(sales.amount) as amount',
  find: onEach(
    scope => (scope.part === scope.draft.statement ? [] : calls('sum', 'avg')(scope)),
    ({ name, args: [argument] }, { select }) => {
      const column = columnOf(argument)?.name
      if (column === undefined || argument === undefined) return undefined
      const behind = contributorsOf(argument, select)
      // why: an average times its count is a sum
      const isOther = behind.some(
        ([node]) => multiplies(node) || callsIn(node, ['count']).length > 0,
      )
      const kind = isOther ? undefined : behind.map(one => kindOf(...one)).find(Boolean)
      return (
        kind &&
        `${name}(${column}) is a ${name === 'sum' ? 'sum' : 'mean'} of ${kind}, which do not add up, expected it from the rows' own sums, or none`
      )
    },
  ),
}

function kindOf(expression: Node, select: Select): string | undefined {
  const kinds = contributing(expression, 'FuncCall').map(({ funcname, over }) => {
    const name = namesOf(funcname).at(-1) ?? ''
    const isRunning = name === 'sum' && over !== undefined && isOrdered(over, select.node)
    return isRunning ? 'running totals' : KINDS[name]
  })
  return kinds.find(Boolean)
}
