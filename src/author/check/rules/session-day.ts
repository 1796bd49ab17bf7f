import { as } from '../../../definitions/sql/syntax-tree.ts'
import { operatorOf, placeholderOf, stringOf, typeOf, withoutCasts } from '../../sql/expressions.ts'
import { calls, nodes, onEach, type Rule } from './rule.ts'
import type { Scope } from './draft.ts'
import { isTakenForLocal } from './utc-timestamp.ts'
import { byLocalTime, OTHER, timeType } from './time-type.ts'

/** Types without a zone. */
const SHORT = new Set(['date', 'timestamp', 'time'])
/** Units below a day begin at the same instants in any whole-hour zone. */
const SMALL = /^(?:hour|minute|(?:milli|micro)?second)s?$/i
const SECONDS = /^(?:epoch|(?:milli|micro)?seconds?)$/i

export const sessionDay: Rule = {
  sentence: 'An instant becomes a day, or a part of one, in the time zone of the session.',
  bad: ', sales.sold_at::date as day',
  good: ', (sales.sold_at at time zone :time_zone)::date as day',
  find: onEach(
    scope => [...casts(scope), ...parts(scope)],
    ({ node, operand, what }, { select, part, draft }) => {
      const type = timeType(operand, select, draft)
      if ((type !== 'instant' && type !== 'utc') || isTakenForLocal(operand, select, draft))
        return undefined
      const [written, whole] = [part.written(operand), part.written(node)]
      // why: :time_zone replaces hours that are added to change the zone
      const isMoved = operatorOf(operand) === '+' || operatorOf(operand) === '-'
      const time = isMoved ? part.written(as(operand, 'A_Expr')?.lexpr) : written
      const put = (sql: string, cast = sql) =>
        what === undefined ? cast : whole.replace(written, () => sql)
      const date = OTHER[placeholderOf(operand) ?? '']
      const local = byLocalTime(time, type, draft, one => put(one, `(${one})::date`))
      return `${whole} is in the time zone of the session, expected ${date ? put(`:${date}`) : local}`
    },
  ),
}

/** `moved_at::date`, `date(moved_at)` */
function casts(scope: Scope) {
  const written = nodes('TypeCast')(scope).filter(({ node }) => SHORT.has(typeOf(node.typeName)))
  return [
    ...written.map(({ node }) => ({ node, operand: node.arg, what: undefined })),
    ...calls('date')(scope).map(({ node, args }) => ({ node, operand: args[0], what: undefined })),
  ]
}

/** `date_trunc('month', moved_at)`, `extract(hour from moved_at)`, `to_char(moved_at, ...)` */
function parts(scope: Scope) {
  const all = calls('date_trunc', 'date_part', 'to_char', 'extract')(scope)
  return all.flatMap(({ name: what, args: [first, second, zone], node }) => {
    if (what === 'to_char') return [{ node, operand: first, what }]
    const unit = stringOf(withoutCasts(first)) ?? ''
    const isZoned = what === 'date_trunc' && zone !== undefined
    const isAlike = isZoned || (what === 'date_trunc' ? SMALL : SECONDS).test(unit)
    return isAlike ? [] : [{ node, operand: second, what }]
  })
}
