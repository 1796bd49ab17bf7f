import { durationMs } from '../../../model/quantity.ts'
import { DEFAULTS } from '../../../definitions/schemas.ts'
import type { TextRule } from './text-rule.ts'
import type { Rule } from './rule.ts'

const find: TextRule = ({ report, metrics, lineOf }) => {
  const matter = report ?? metrics
  if (matter?.stale === undefined) return []
  const { open, closed } = { ...DEFAULTS.fresh, ...matter.fresh }
  const shorter = durationMs(open) <= durationMs(closed) ? open : closed
  if (durationMs(matter.stale) >= durationMs(shorter)) return []
  const message = `stale: found ${matter.stale}, expected at least ${shorter}, for which a response is fresh`
  return [{ line: lineOf(['stale']), message }]
}

export const staleBeforeFresh: Rule = {
  id: 'stale-before-fresh',
  level: 'warning',
  sentence: 'A response may be stale for a shorter time than it is fresh.',
  bad: 'stale: 10s',
  good: 'stale: 6h',
  find,
}
