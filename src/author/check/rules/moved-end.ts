import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { numberOf, stringOf, typeOf } from '../../sql/expressions.ts'
import { boundsIn, boundsOf, ENDS, isPlain, STARTS, type Bound } from './bounds.ts'
import { onEach, type Rule } from './rule.ts'

export const movedEnd: Rule = {
  sentence: 'The end of the period is moved: a day or a month more or less than was asked for.',
  bad: "and sales.day < :period_end + interval '1 month'",
  good: 'and sales.day < :period_end',
  find: onEach(boundsIn, (bound, { draft, part }) => {
    const { column, sign, right, placeholder } = bound
    const isOfPeriod = boundsOf(draft).some(
      one => one.column === column && one.sign === '>=' && isPlain(one, STARTS),
    )
    const problem = isOfPeriod && problemOf(bound)
    return problem && `${sign} ${part.written(right)} ${problem}, expected < :${placeholder}`
  }),
}

function problemOf({ sign, placeholder, operator, by }: Bound): string | undefined {
  if (by === undefined || !ENDS.has(placeholder) || !sign.startsWith('<')) return undefined
  const part = intervalOf(by)
  const isDay = numberOf(by) === '1' || /^(?:1 days?|24 hours?)$/i.test(part ?? '')
  if (operator === '+') return `includes the ${isDay ? 'day' : 'time'} after the period`
  if (sign === '<') return isDay ? "leaves out the period's last day" : undefined
  // why: the smallest step of an instant is a microsecond, that of a date a day
  const isWhole =
    part === undefined || /micro|0\.000001/.test(part) || (isDay && !placeholder.endsWith('_at'))
  return isWhole ? undefined : `leaves out the last ${part} of the period`
}

/** The `1 day` in `interval '1 day'`. */
function intervalOf(node: Node): string | undefined {
  const { typeName, arg } = as(node, 'TypeCast') ?? {}
  return typeOf(typeName) === 'interval' ? stringOf(arg)?.trim() : undefined
}
