import type { Rule } from './rule.ts'

export const noKey: Rule = {
  sentence: 'No key: a loader cannot tell the rows apart.',
  bad: '# key: [shop]',
  good: 'key: [shop]',
  find: ({ report, lineOf }) => {
    const message = 'no key "key", expected the columns that identify a row, such as [customer_id]'
    return report === undefined || report.key !== undefined ? [] : [{ line: lineOf([]), message }]
  },
}
