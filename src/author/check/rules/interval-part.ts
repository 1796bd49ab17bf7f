import { as } from '../../../definitions/sql/syntax-tree.ts'
import { callOf, operatorOf, stringOf, withoutCasts } from '../../sql/expressions.ts'
import { hasInterval } from './bounds.ts'
import { calls, onEach, type Rule } from './rule.ts'

export const intervalPart: Rule = {
  sentence: 'The hours of an interval are without its days.',
  bad: ', extract(hour from sales.sold_at - sales.made_at) as hours',
  good: ', extract(epoch from sales.sold_at - sales.made_at) / 3600 as hours',
  find: onEach(calls('extract', 'date_part'), ({ name, args: [first, of] }, scope) => {
    const unit = stringOf(withoutCasts(first))?.toLowerCase().replace(/s$/, '') ?? ''
    const isAge = callOf(of, ['age']) !== undefined
    const subtracted = operatorOf(of) === '-' ? as(of, 'A_Expr')?.rexpr : undefined
    const isDifference = subtracted !== undefined && !hasInterval(subtracted)
    const written = scope.part.written(of)
    // why: `12 * extract(year from x) + extract(month from x)` adds what is dropped
    const same = calls(
      'extract',
      'date_part',
    )(scope).filter(({ args }) => scope.part.written(args[1]) === written)
    return (
      (isAge ? /^(?:minute|hour|day)$/ : /^(?:minute|hour)$/).test(unit) &&
      (isAge || isDifference) &&
      same.length === 1 &&
      `${name}(${unit} ...) of a difference drops what is larger, expected epoch`
    )
  }),
}
