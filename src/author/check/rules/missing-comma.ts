import type { Finding } from '../../../definitions/findings.ts'
import type { SqlToken } from '../../../definitions/sql/parsed-sql.ts'
import { everySelect } from '../statement.ts'
import { partsOf, type Draft } from './draft.ts'
import type { Rule } from './rule.ts'

export const missingComma: Rule = {
  id: 'missing-comma',
  level: 'warning',
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
  const { text } = sql
  const tokens = sql.tokens.filter(({ kind }) => kind !== 'comment')
  const written = ({ start, end }: SqlToken) => text.slice(start, end)
  const endsValue = (token: SqlToken) =>
    token.kind === 'sign' ? written(token) === ')' : token.kind !== 'keyword'
  return everySelect(query).flatMap(({ items }) =>
    items.flatMap(({ name, offset }) => {
      const at = tokens.findIndex(
        (one, index) =>
          one.kind === 'name' &&
          one.start > offset &&
          written(one) === name &&
          endsValue(tokens[index - 1]!),
      )
      const [before, after] = [tokens[at - 1], tokens[at]]
      if (!before || !after || !text.slice(before.end, after.start).includes('\n')) return []
      const message = `${name} on a line of its own is the name of the column before it, expected a comma, or as`
      return [{ line: line(after.start), message }]
    }),
  )
}
