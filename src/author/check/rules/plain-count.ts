import { relationOf } from '../origins.ts'
import { callOf, columnOf } from '../../sql/expressions.ts'
import { onEach, type Rule } from './rule.ts'

export const plainCount: Rule = {
  sentence: 'A name asks for different things, and `count(column)` counts rows.',
  bad: ', count(sales.customer_id) as customers',
  good: ', count(distinct sales.customer_id) as customers',
  find: onEach(
    ({ select: { items } }) =>
      items.map(({ name = '', expression: node }) => ({
        name,
        node,
        call: callOf(node, ['count']),
      })),
    ({ name, call }, { select, part }) => {
      const [counted] = call?.args ?? []
      const column = columnOf(counted)?.name ?? ''
      const [, stem = column] = /^(.*?)y?_id$/.exec(column) ?? []
      const isNamed = name.startsWith(stem) && /s$|_count$|_number$/.test(name) && stem !== column
      const asks = isNamed || /(?:^|_)(?:unique|distinct|different)(?:_|$)/.test(name)
      const inner = part.written(counted)
      return (
        asks &&
        call?.node.agg_distinct !== true &&
        relationOf(counted, select)?.kind === 'table' &&
        `count(${inner}) as ${name} counts rows, expected count(distinct ${inner})`
      )
    },
  ),
}
