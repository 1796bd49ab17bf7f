import { nullTests } from './nulls.ts'
import type { Rule } from './rule.ts'

export const nullComparison: Rule = {
  id: 'null-comparison',
  level: 'error',
  sentence: 'A comparison with null is never true.',
  bad: 'and sales.note = null',
  good: 'and sales.note is null',
  find: nullTests,
}
