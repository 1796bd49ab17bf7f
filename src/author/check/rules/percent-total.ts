import { percentTotals } from './totals.ts'
import type { Rule } from './rule.ts'

export const percentTotal: Rule = {
  id: 'percent-total',
  level: 'warning',
  sentence: 'Percentages are added up, or averaged without weights.',
  bad: 'share: { title: Share, type: percent, total: avg(share) }',
  good: 'share: { title: Share, type: percent, total: "100.0 * sum(amount) / nullif(sum(pieces), 0)" }',
  find: percentTotals,
}
