import { stringOf } from '../../sql/expressions.ts'
import { endpointOf, ENDS, isPlain, nextTo, STARTS } from './bounds.ts'
import { problemOf } from './moved-end.ts'
import type { Rule } from './rule.ts'
import { calls, onEach } from './text-rule.ts'

export const rangeEnd: Rule = {
  id: 'range-end',
  level: 'warning',
  sentence: 'A range includes its end, which the period excludes.',
  bad: "and daterange(:period_start, :period_end, '[]') @> sales.day",
  good: 'and daterange(:period_start, :period_end) @> sales.day',
  find: onEach(
    calls('daterange', 'tsrange', 'tstzrange', 'overlaps'),
    ({ name, args }, { select, part }) => {
      // why: `overlaps` is always half-open, and has two pairs
      const isPairs = name === 'overlaps'
      const isClosed = !isPairs && stringOf(args[2])?.endsWith(']') === true
      const pairs = isPairs ? [args.slice(0, 2), args.slice(2)] : [args]
      const moved = pairs.find(
        ([from, to]) =>
          isPlain(endpointOf(from, select), STARTS) &&
          ENDS.has(endpointOf(to, select)?.placeholder ?? ''),
      )
      const end = endpointOf(moved?.[1], select)
      if (end === undefined) return undefined
      const problem =
        isClosed && end.by === undefined
          ? `includes ${nextTo(end.placeholder)} after the period`
          : problemOf({ ...end, sign: isClosed ? '<=' : '<' })
      const written = `${part.written(moved?.[1])}${isClosed ? `, '${stringOf(args[2])}'` : ''}`
      return (
        problem &&
        `${written} as the end of ${name} ${problem}, expected :${end.placeholder}${isClosed ? ", '[)'" : ''}`
      )
    },
  ),
}
