import { as } from '../../../definitions/sql/syntax-tree.ts'
import { callOf, operatorOf, stringOf, withoutCasts } from '../../sql/expressions.ts'
import { hasInterval } from './bounds.ts'
import type { Rule } from './rule.ts'
import { calls, onEach } from './text-rule.ts'

export const intervalPart: Rule = {
  id: 'interval-part',
  level: 'warning',
  sentence: 'The hours of an interval are without its days.',
  bad: ', extract(hour from sales.sold_at - sales.made_at) as hours',
  good: ', extract(epoch from sales.sold_at - sales.made_at) / 3600 as hours',
  find: onEach(calls('extract', 'date_part'), ({ name, args: [first, of] }, { part, ...scope }) => {
    const unit = stringOf(withoutCasts(first))?.toLowerCase().replace(/s$/, '') ?? ''
    const isAge = callOf(of, ['age']) !== undefined
    const subtracted = operatorOf(of) === '-' ? as(of, 'A_Expr')?.rexpr : undefined
    const isDifference = subtracted !== undefined && !hasInterval(subtracted)
    const drops = isAge ? /^(?:minute|hour|day)$/ : /^(?:minute|hour)$/
    if (!drops.test(unit) || !(isAge || isDifference)) return undefined
    // why: `12 * extract(year from x) + extract(month from x)` adds what is dropped
    const same = calls(
      'extract',
      'date_part',
    )({ part, ...scope }).filter(({ args }) => part.written(args[1]) === part.written(of))
    return (
      same.length === 1 &&
      `${name}(${unit} ...) of a difference drops what is larger, expected epoch`
    )
  }),
}
