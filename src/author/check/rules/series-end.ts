import { callsIn } from '../../sql/expressions.ts'
import { boundsOf, endpointOf, ENDS, isPlain, nextTo } from './bounds.ts'
import type { Rule } from './rule.ts'
import { calls, onEach } from './text-rule.ts'

export const seriesEnd: Rule = {
  id: 'series-end',
  level: 'warning',
  sentence: '`generate_series` also returns its end, which the period excludes.',
  bad: "select day from generate_series(:period_start, :period_end, interval '1 day') as d (day)",
  good: "select day from generate_series(:period_start, :period_end - 1, interval '1 day') as d (day)",
  find: onEach(
    calls('generate_series'),
    ({ args: [, to], node }, { draft, select: { relations, items, ...select }, part }) => {
      const end = endpointOf(to, { relations, items, ...select })
      if (!isPlain(end, ENDS)) return undefined
      const holds = (holder: unknown) => callsIn(holder).some(call => call.node === node)
      const called = relations.find(one => holds(one.call))
      const item = items.find(({ expression }) => holds(expression))
      const names = new Set([...(called?.columns ?? []), called?.alias, item?.name])
      const isCut = boundsOf(draft).some(
        one => one.sign === '<' && isPlain(one, ENDS) && names.has(one.column),
      )
      const { placeholder } = end
      const step = placeholder.endsWith('_at') ? "interval '1 day'" : '1'
      return (
        !isCut &&
        `generate_series(..., ${part.written(to)}) also returns ${nextTo(placeholder)} after the period, expected :${placeholder} - ${step}`
      )
    },
  ),
}
