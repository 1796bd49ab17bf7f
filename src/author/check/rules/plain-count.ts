import { relationOf } from '../origins.ts'
import { callOf, columnOf } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { onEach } from './text-rule.ts'

export const plainCount: Rule = {
  id: 'plain-count',
  level: 'warning',
  sentence: 'A name asks for different things, and `count(column)` counts rows.',
  bad: ', count(sales.customer_id) as customers',
  good: ', count(distinct sales.customer_id) as customers',
  find: onEach(
    ({ select: { items } }) => items.map(({ name, expression: node }) => ({ name, node })),
    ({ name = '', node }, { select, part }) => {
      const call = callOf(node, ['count'])
      const column = columnOf(call?.args[0])?.name
      if (call === undefined || column === undefined || call.node.agg_distinct === true)
        return undefined
      const [, stem = column] = /^(.*?)y?_id$/.exec(column) ?? []
      const isNamed = name.startsWith(stem) && /s$|_count$|_number$/.test(name) && stem !== column
      const asks = isNamed || /(?:^|_)(?:unique|distinct|different)(?:_|$)/.test(name)
      const isOfTable = relationOf(call.args[0], select)?.kind === 'table'
      const inner = part.written(call.args[0])
      return (
        asks &&
        isOfTable &&
        `count(${inner}) as ${name} counts rows, expected count(distinct ${inner})`
      )
    },
  ),
}
