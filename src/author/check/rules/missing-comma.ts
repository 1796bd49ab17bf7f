import type { Finding } from '../../../definitions/findings.ts'
import { everySelect } from '../statement.ts'
import { stringOf } from '../../sql/expressions.ts'
import { inEachPart, type Draft } from './draft.ts'
import { joinedTexts } from './joined-texts.ts'
import type { Rule } from './rule.ts'

export const missingComma: Rule = {
  id: 'missing-comma',
  level: 'warning',
  sentence: 'Two lines of a list are one value, or one column, without a comma between them.',
  bad: ', sales.pieces\n  price',
  good: ', sales.pieces, sales.price',
  find: draft => [
    ...inEachPart(draft, part =>
      joinedTexts(part).map(({ node, before, after, offset }) => {
        const message = `${before} and ${after} without a comma are '${stringOf({ A_Const: node })}', expected a comma`
        return { line: part.line({ A_Const: { location: offset } }), message }
      }),
    ),
    ...aliases(draft),
  ],
}

/** Names of columns on a line of their own, without `as`. */
function aliases({ statement: { query, sql, line } }: Draft): Finding[] {
  const { tokens, text } = sql
  const written = (at: number) => text.slice(tokens[at]?.start, tokens[at]?.end)
  return everySelect(query).flatMap(({ items }) =>
    items.flatMap(({ name, offset }) => {
      const at = tokens.findIndex(
        (token, index) =>
          token.kind === 'name' &&
          token.start > offset &&
          written(index) === name &&
          ENDS_VALUE.test(
            tokens[index - 1]?.kind === 'sign' ? written(index - 1) : tokens[index - 1]!.kind,
          ),
      )
      const [before, after] = [tokens[at - 1]!, tokens[at]]
      if (at < 1 || after === undefined || !text.slice(before.end, after.start).includes('\n'))
        return []
      const message = `${name} on a line of its own is the name of the column before it, expected a comma, or as`
      return [{ line: line(after.start), message }]
    }),
  )
}

const ENDS_VALUE = /^(?:name|string|number|parameter|\))$/
