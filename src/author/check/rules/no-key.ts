import { rowKey } from './front-matter.ts'
import type { Rule } from './rule.ts'

export const noKey: Rule = {
  id: 'no-key',
  level: 'warning',
  sentence: 'No key: a loader cannot tell the rows apart.',
  bad: '# key: [shop]',
  good: 'key: [shop]',
  find: rowKey,
}
