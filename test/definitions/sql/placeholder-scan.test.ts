import { expect } from 'chai'
import * as fc from 'fast-check'
import { loadModule } from '../../../src/definitions/sql/libpg-query.ts'
import { findPlaceholders, withParameters } from '../../../src/definitions/sql/placeholder-scan.ts'
import { positionsIn } from '../../../src/definitions/sql/text-positions.ts'
import { scanTokens } from '../../../src/definitions/sql/token-scan.ts'

await loadModule()

/** Undefined if a quote or a comment is not closed. */
function placeholdersIn(sql: string): string[] | undefined {
  const tokens = scanTokens(sql, positionsIn(sql))
  return tokens && findPlaceholders(sql, tokens).map(({ start, end }) => sql.slice(start, end))
}

describe('the placeholders of SQL', () => {
  it('are found where a value is allowed', () => {
    const places = [
      'b>=:now and (:now) and f(1,:now) and -:now and :now::date',
      'case when x then :now end ||:now',
      'array[[:now], [1, :now]] and a[(:now):2] /* x */:now',
    ]
    for (const sql of places) {
      const found = sql.match(/:now/g)
      expect(placeholdersIn(sql), sql).to.deep.equal(found)
    }
  })

  it('are not slices, casts, named arguments, or directly after another token', () => {
    const parts = `x::date|x::numeric(14,2)[]|a[1:2]|a[:now]|a[now:]|a[ :now ]|(f(x))[lower:now]|f(now := 1, b:=2)|x : y
data ? 'key' and data @? '$.a'|limit:now|(x):now|'a :now'|--:now\n|$$:now$$|?`
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts.split('|'))), parts => {
        expect(placeholdersIn(` ${parts.join(' ')}`)).to.deep.equal([])
      }),
    )
  })

  it('are not found in quotes and comments', () => {
    const content = fc
      .array(fc.constantFrom(':now', "'", '"', '$', '\\', '*', '/', '\n', '-', ' ', 'x', 'ё', '😀'))
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(content, text => {
        const escaped = text.replaceAll(/['\\]/g, '\\$&')
        const comment = text.replaceAll(/[*/]/g, '')
        const hiding = [
          `'${text.replaceAll("'", "''")}'`,
          `E'${escaped}'`,
          `e'a'\n '${escaped}'`,
          `"x${text.replaceAll('"', '""')}"`,
          `$q$${text}$q$`,
          `$тег$${text} $$ $tag$ $тег$`,
          `/*${comment}/*${comment}*/${comment}*/`,
          `--${text.replaceAll('\n', '')}\n`,
        ]
        for (const hidden of hiding) {
          expect(placeholdersIn(`:today ${hidden} :as_of`), hidden).to.deep.equal([
            ':today',
            ':as_of',
          ])
        }
      }),
    )
  })

  it('become parameters of the same length, so that offsets do not change', () => {
    const sql = `select 'ё😀', :today, :unknown where d < :now`
    const tokens = scanTokens(sql, positionsIn(sql))!
    expect(withParameters(sql, findPlaceholders(sql, tokens))).to.equal(
      `select 'ё😀', $1    , $1       where d < $1  `,
    )
  })
})
