import type { Rule } from './rule.ts'

// why: the bounds limit backtracking on long lines of addresses without `@`
const KEY =
  /\bsk_(?:live|test|demo|prod)_\w{4,}|\bpostgres(?:ql)?:\/\/[^\s:/]{1,100}:[^\s@]{1,1000}@/i

export const secret: Rule = {
  level: 'error',
  sentence: 'A key or a password is in the file, be it in a comment.',
  bad: "and sales.note <> 'postgres://reports:secret@replica/product'",
  good: "and sales.note <> 'postgres://replica/product'",
  find: ({ text }) =>
    text.split('\n').flatMap((content, index) => {
      const [key] = KEY.exec(content) ?? []
      if (key === undefined) return []
      const message = `"${key.slice(0, 8)}..." looks like a key, expected no secret in a definition`
      return [{ line: index + 1, message }]
    }),
}
