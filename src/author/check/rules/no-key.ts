import type { TextRule } from './text-rule.ts'
import type { Rule } from './rule.ts'

const find: TextRule = ({ report, lineOf }) => {
  if (report === undefined || report.key !== undefined) return []
  const message = 'no key "key", expected the columns that identify a row, such as [category]'
  return [{ line: lineOf([]), message }]
}

export const noKey: Rule = {
  id: 'no-key',
  level: 'warning',
  sentence: 'No key: a loader cannot tell the rows apart.',
  bad: '# key: [shop]',
  good: 'key: [shop]',
  find,
}
