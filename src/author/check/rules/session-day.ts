import { as } from '../../../definitions/sql/syntax-tree.ts'
import {
  operatorOf,
  placeholderOf,
  placeholdersIn,
  stringOf,
  typeOf,
  withoutCasts,
} from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { calls, nodes, onEach, type Scope } from './text-rule.ts'
import { isTakenForLocal } from './utc-timestamp.ts'
import { byLocalTime, timeType } from './time-type.ts'

const DATE_OF: Readonly<Record<string, string>> = {
  now: ':today',
  period_start_at: ':period_start',
  period_end_at: ':period_end',
}
/** Units below a day begin at the same instants in any whole-hour zone. */
const SMALL = /^(?:hour|minute|(?:milli|micro)?second)s?$/i
const SECONDS = /^(?:epoch|(?:milli|micro)?seconds?)$/i

export const sessionDay: Rule = {
  id: 'session-day',
  level: 'warning',
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
      const put = (local: string) =>
        what === undefined ? `(${local})::date` : whole.replace(written, () => local)
      const date = DATE_OF[placeholderOf(operand) ?? '']
      const placed = what === undefined ? date : date && whole.replace(written, () => date)
      return `${whole} is in the time zone of the session, expected ${placed ?? byLocalTime(time, type, draft, put)}`
    },
  ),
}

/** `moved_at::date`, `date(moved_at)` */
function casts(scope: Scope) {
  const written = nodes('TypeCast')(scope).flatMap(({ node }) =>
    ['date', 'timestamp', 'time'].includes(typeOf(node.typeName))
      ? [{ node, operand: node.arg, what: undefined }]
      : [],
  )
  const called = calls('date')(scope).map(({ node, args }) => {
    return { node, operand: args[0], what: undefined }
  })
  return [...written, ...called]
}

/** `date_trunc('month', moved_at)`, `extract(hour from moved_at)`, `to_char(moved_at, ...)` */
function parts(scope: Scope) {
  return calls(
    'date_trunc',
    'date_part',
    'date_bin',
    'to_char',
    'extract',
  )(scope).flatMap(({ name: what, args: [first, second, third], node }) => {
    const unit = stringOf(withoutCasts(first)) ?? 'day'
    const isBin = what === 'date_bin' && placeholdersIn(third).length === 0
    const isAlike = isBin
      ? !/day|week|\dd/i.test(unit)
      : what === 'date_bin' || (what === 'date_trunc' ? SMALL : SECONDS).test(unit)
    const hasZone = what === 'date_trunc' && third !== undefined
    if (what === 'to_char') return [{ node, operand: first, what }]
    return isAlike || hasZone ? [] : [{ node, operand: second, what }]
  })
}
