import type { Finding } from '../../../definitions/findings.ts'
import type { SqlToken } from '../../../definitions/sql/parsed-sql.ts'
import { everySelect } from '../statement.ts'
import { partsOf, type Draft } from './draft.ts'
import type { Rule } from './rule.ts'

export const missingComma: Rule = {
  sentence: 'Two lines of a list are one value, or one column, without a comma between them.',
  bad: ', sales.pieces\n  price',
  good: ', sales.pieces, sales.price',
  find: draft => [
    // why: PostgreSQL joins literals on two lines, which are one token
    ...partsOf(draft).flatMap(({ sql: { tokens, text }, line }) =>
      tokens.flatMap(({ kind, start, end }) => {
        const [, before, gap, after] =
          /^('(?:[^']|'')*')(\s*\n\s*)('(?:[^']|'')*')$/.exec(text.slice(start, end)) ?? []
        const isOfList = /[,([]\s*$/.test(text.slice(0, start))
        if (kind !== 'string' || !isOfList || before === undefined || gap === undefined) return []
        const message = `${before} and ${after} without a comma are one text, expected a comma`
        return [{ line: line(start + before.length + gap.length), message }]
      }),
    ),
    ...aliases(draft),
  ],
}

/** Names of columns on a line of their own, without `as`. */
function aliases({ statement: { query, sql, line } }: Draft): Finding[] {
  const written = ({ start, end }: SqlToken) => sql.text.slice(start, end)
  const names = new Set(everySelect(query).flatMap(one => one.items.map(({ name }) => name)))
  const tokens = sql.tokens.filter(({ kind }) => kind !== 'comment')
  return tokens.flatMap((after, index) => {
    const before = tokens[index - 1]
    const name = written(after)
    if (before === undefined || after.kind !== 'name' || !names.has(name)) return []
    const endsValue = before.kind === 'sign' ? written(before) === ')' : before.kind !== 'keyword'
    if (!endsValue || !sql.text.slice(before.end, after.start).includes('\n')) return []
    const message = `${name} on a line of its own is the name of the column before it, expected a comma, or as`
    return [{ line: line(after.start), message }]
  })
}
