import { literals } from './literals.ts'
import type { Rule } from './rule.ts'

export const literal: Rule = {
  id: 'literal',
  level: 'warning',
  sentence:
    'A date, an organization or a list in quotes that belongs to one period, one organization or one slip.',
  bad: "and sales.day >= '2026-01-01'",
  good: 'and sales.day >= :period_start',
  find: literals,
}
