/** Rules on ranges and series that include their end, which the period excludes. */
import { originsOf } from '../../sql/column-origins.ts'
import { callsIn, stringOf } from '../../sql/expressions.ts'
import {
  boundsOf,
  endpointOf,
  ENDS,
  isPlain,
  nextTo,
  problemOfEnd,
  STARTS,
} from './period-bounds.ts'
import { calls, onEach } from './text-rule.ts'

const rangeCalls = calls('daterange', 'tsrange', 'tstzrange', 'overlaps')

/** `daterange(:period_start, :period_end, '[]')`, and `overlaps`, which is always half-open. */
export const ranges = onEach(
  scope =>
    rangeCalls(scope).flatMap(({ name, args, node }) => {
      const bounds = stringOf(args[2]) ?? '[)'
      // why: `overlaps` has two pairs; the third argument of a range is not a pair
      return [args.slice(0, 2), args.slice(2)].map(([from, to]) => ({
        name,
        node,
        bounds,
        from,
        to,
      }))
    }),
  ({ name, bounds, from, to }, { select, part }) => {
    const isClosed = bounds.endsWith(']')
    const [start, end] = [endpointOf(from, select), endpointOf(to, select)]
    const problem = end && problemOfEnd(isClosed ? '<=' : '<', end)
    if (problem === undefined || (end?.by !== undefined && !isPlain(start, STARTS)))
      return undefined
    const written = `${part.written(to)}${isClosed ? `, '${bounds}'` : ''}`
    const expected = name === 'overlaps' ? ': overlaps leaves out the end' : ", '[)'"
    return `${name}(..., ${written}) ${problem}, expected :${end?.placeholder}${expected}`
  },
)

/** `generate_series` includes its last argument: a row for the day after the period. */
export const seriesEnds = onEach(
  calls('generate_series'),
  ({ args: [, to], node }, { draft, select, part }) => {
    const end = endpointOf(to, select)
    if (!isPlain(end, ENDS)) return undefined
    const holds = (holder: unknown) => callsIn(holder).some(call => call.node === node)
    const makers = [
      ...select.relations.filter(({ call }) => holds(call)),
      ...select.items.filter(({ expression }) => holds(expression)),
    ]
    const isCut = boundsOf(draft).some(bound => {
      if (bound.sign !== '<' || !isPlain(bound, ENDS)) return false
      const origins = originsOf(bound.left, bound.select)
      return makers.some(maker => origins.has(maker))
    })
    const { placeholder } = end
    const step = placeholder.endsWith('_at') ? "interval '1 day'" : '1'
    return (
      !isCut &&
      `generate_series(..., ${part.written(to)}) also returns ${nextTo(placeholder)} after the period, expected :${placeholder} - ${step}`
    )
  },
)
