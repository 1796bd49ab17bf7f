import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { callOf, operatorOf, stringOf, withoutCasts } from '../../sql/expressions.ts'
import { hasInterval } from './bounds.ts'
import type { Rule } from './rule.ts'
import { calls, onEach } from './text-rule.ts'

/** By unit: its seconds, what it drops, and the larger units that complete it. */
const UNITS: Readonly<Record<string, { seconds: number; lost: string; larger: string[] }>> = {
  minute: { seconds: 60, lost: 'hours', larger: ['hour', 'day', 'epoch'] },
  hour: { seconds: 3600, lost: 'days', larger: ['day', 'epoch'] },
  day: { seconds: 86_400, lost: 'months', larger: ['month', 'year', 'epoch'] },
}

export const intervalPart: Rule = {
  id: 'interval-part',
  level: 'warning',
  sentence: 'The hours of an interval are without its days.',
  bad: ', extract(hour from sales.sold_at - sales.made_at) as hours',
  good: ', extract(epoch from sales.sold_at - sales.made_at) / 3600 as hours',
  find: onEach(calls('extract', 'date_part'), ({ name, args: [first, of] }, scope) => {
    const isAge = callOf(of, ['age']) !== undefined
    const unit = unitOf(first)
    const { seconds, lost, larger } = UNITS[unit] ?? {}
    if (larger === undefined || !(isAge || (isDifference(of) && unit !== 'day'))) return undefined
    const written = scope.part.written(of)
    const isWhole = calls(
      'extract',
      'date_part',
    )(scope).some(
      ({ args }) => larger.includes(unitOf(args[0])) && scope.part.written(args[1]) === written,
    )
    return (
      !isWhole &&
      `${name}(${unit} ...) of a difference drops its ${lost}, expected extract(epoch from ...) / ${seconds}`
    )
  }),
}

function unitOf(node: Node | undefined): string {
  return stringOf(withoutCasts(node))?.toLowerCase().replace(/s$/, '') ?? ''
}

/** `a - b`; but `a - interval '1 hour'` is an instant. */
function isDifference(node: Node | undefined): boolean {
  const subtracted = operatorOf(node) === '-' ? as(node, 'A_Expr')?.rexpr : undefined
  if (subtracted === undefined || callOf(subtracted, ['make_interval'])) return false
  return !hasInterval(subtracted)
}
