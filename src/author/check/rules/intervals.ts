/** The rule on parts of intervals: `extract(hour from ...)` of 2 days and 3 hours is 3, not 51. */
import type { Node } from 'libpg-query'
import { as, nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { callOf, operatorOf, stringOf, typeOf, withoutCasts } from '../../sql/expressions.ts'
import { isSameOrigin, originOf } from '../../sql/column-origins.ts'
import { calls, onEach, type Scope } from './text-rule.ts'

/** By unit: its seconds, what it drops, and the larger units that complete it. */
const UNITS: Readonly<Record<string, { seconds: number; lost: string; larger: string[] }>> = {
  minute: { seconds: 60, lost: 'hours', larger: ['hour', 'day', 'epoch'] },
  hour: { seconds: 3600, lost: 'days', larger: ['day', 'epoch'] },
  day: { seconds: 86_400, lost: 'months', larger: ['month', 'year', 'epoch'] },
}

export const partsOfIntervals = onEach(partsIn, ({ name, unit, isAge, origin, parts }) => {
  const { seconds, lost, larger } = UNITS[unit] ?? {}
  if (larger === undefined || (unit === 'day' && !isAge)) return undefined
  const isWhole = parts.some(
    other => larger.includes(other.unit) && isSameOrigin(other.origin, origin),
  )
  if (isWhole) return undefined
  return `${name}(${unit} ...) of a difference drops its ${lost}, expected extract(epoch from ...) / ${seconds}`
})

function partsIn(scope: Scope) {
  const parts = calls(
    'extract',
    'date_part',
  )(scope).flatMap(({ name, args: [first, of], node }) => {
    const unit = stringOf(withoutCasts(first))?.toLowerCase().replace(/s$/, '') ?? ''
    const isAge = callOf(of, ['age']) !== undefined
    if (!isAge && !isDifference(of)) return []
    return [{ name, unit, isAge, node, origin: originOf(of, scope.select) }]
  })
  return parts.map(part => Object.assign(part, { parts }))
}

/** `a - b`; but `a - interval '1 hour'` is an instant. */
function isDifference(node: Node | undefined): boolean {
  const subtracted = operatorOf(node) === '-' ? as(node, 'A_Expr')?.rexpr : undefined
  if (subtracted === undefined || callOf(subtracted, ['make_interval']) !== undefined) return false
  return !nodesOf(subtracted, 'TypeCast').some(({ typeName }) => typeOf(typeName) === 'interval')
}
