/** Tables of examples for text rules: SQL, and the findings of one rule. */
import { expect } from 'chai'
import { draftOf } from '../../../src/author/check/rules/draft.ts'
import type { TextRule } from '../../../src/author/check/rules/text-rule.ts'
import { parseSql } from '../../harness/parse-sql.ts'

/** `2: words`: the line of the SQL or the total, and words of the message. None for correct SQL. */
export type Example = readonly [sql: string, ...expected: string[]]

interface Definition {
  /** Columns of a report: `amount: money, share: percent`. */
  readonly columns?: string
  /** Metrics in the same form. */
  readonly metrics?: string
  /** If the examples are totals of the first column: their statement. */
  readonly totalOf?: string
}

/** @param rule a rule, or several combined */
export function examples(
  title: string,
  rule: TextRule,
  definition: Definition,
  all: readonly Example[],
): void {
  describe(title, () => {
    for (const [sql, ...expected] of all) {
      it(`${expected.length === 0 ? 'right' : 'wrong'}: ${sql.replaceAll(/\s+/g, ' ')}`, async () => {
        const { text, firstLine, kind } = fileOf(sql, definition)
        const source = { file: `sql/${kind}.sql`, version: '', code: 'example', text }
        const draft = await draftOf(source, kind, parseSql)
        if (draft === undefined) throw new Error('the statement is not parsed')
        const found = rule(draft, [draft]).map(
          ({ line, message }) => `${line - firstLine + 1}: ${message}`,
        )
        const words = expected.map(one => one.replace(/^\d+: /, ''))
        const shown = found.map(one => {
          const at = expected.findIndex(
            (other, index) =>
              one.startsWith(`${other.split(':')[0]}: `) && one.includes(words[index] ?? ''),
          )
          return expected[at] ?? one
        })
        expect(shown).to.have.members([...expected])
      })
    }
  })
}

function fileOf(sql: string, { columns = 'a: integer', metrics, totalOf }: Definition) {
  const entries = (list: string, key: string) =>
    list.split(', ').map((entry, at) => {
      const [name, type] = entry.split(': ')
      const total = at === 0 && totalOf !== undefined ? `, total: ${JSON.stringify(sql)}` : ''
      return `  ${name}: { title: ${name}, ${key}: ${type}${total} }`
    })
  const head =
    metrics === undefined
      ? [
          'title: A',
          'columns:',
          ...entries(columns, 'type'),
          `key: [${columns.split(':')[0]}]`,
          'summary: "{row_count}"',
        ]
      : ['metrics:', ...entries(metrics, 'format')]
  const lines = ['/*---', ...head, '---*/']
  return {
    kind: metrics === undefined ? ('report' as const) : ('metrics' as const),
    text: [...lines, totalOf ?? sql].join('\n'),
    firstLine: totalOf === undefined ? lines.length + 1 : 4,
  }
}
