import { staleAfterFresh } from './front-matter.ts'
import type { Rule } from './rule.ts'

export const staleBeforeFresh: Rule = {
  id: 'stale-before-fresh',
  level: 'warning',
  sentence: 'A response may be stale for a shorter time than it is fresh.',
  bad: 'stale: 10s',
  good: 'stale: 6h',
  find: staleAfterFresh,
}
