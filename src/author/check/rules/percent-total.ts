import { callsIn, columnOf } from '../../sql/expressions.ts'
import { namesOfType, onEach, type Rule } from './rule.ts'

export const percentTotal: Rule = {
  sentence: 'Percentages are added up, or averaged without weights.',
  bad: 'share: { title: Share, type: percent, total: avg(share) }',
  good: 'share: { title: Share, type: percent, total: "100.0 * sum(amount) / nullif(sum(pieces), 0)" }',
  find: onEach(
    ({ draft, part, select }) => {
      const percents = namesOfType(draft, 'percent')
      const isPercent = (name = '') => percents.includes(name)
      const items = select.items.filter(one => part !== draft.statement || isPercent(one.name))
      return callsIn(items, ['sum', 'avg']).filter(
        ({ args, node }) => isPercent(columnOf(args[0])?.name) && node.over === undefined,
      )
    },
    ({ name, args }) =>
      `${name}(${columnOf(args[0])?.name}) ${name === 'sum' ? 'adds up' : 'averages'} percentages, expected the ratio of sums`,
  ),
}
