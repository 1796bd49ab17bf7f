// A file that is being written is read in the serving process by `svodka watch`: none may hold it.
import { draftOf } from '../../src/check/text/draft.ts'
import { checkText } from '../../src/check/text/check-text.ts'
import { lex } from '../../src/definitions/lexer.ts'
import { parseReport } from '../../src/definitions/report.ts'
import { expectLinearTime, repeated } from '../support/linear-time.ts'

const SIZE = 256 * 1024

const FRONT_MATTER = `/*---
title: Продажи
columns:
  shop: { title: Магазин, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [shop]
summary: За {period} продано на {amount}.
---*/
`
const STATEMENT = 'select shop, amount from sales where organization_id = :organization_id '

function sourceOf(text: string) {
  return { file: 'sql/reports/shop/sales.sql', code: 'sales', text, version: '0' }
}

describe('the time to read a definition', function () {
  this.timeout(120_000)

  const parts = [
    "E'\n'",
    "E'\n'--",
    "E''\n--\n",
    "E'a' -- b\n",
    "E'\\",
    "E'''",
    '-',
    '--\n',
    '/*',
    '*/',
    '/* */',
    "'",
    "''",
    '"',
    '$',
    '$a',
    '$a$',
    '$$',
    ':',
    ':a',
    ':=',
    '1_',
    '1e+',
    '.',
    '+-',
    '(',
    '[',
    'a',
    'я',
    '\\',
    '\n',
    '\0',
  ]
  for (const part of parts) {
    it(`is linear in the tokens of ${JSON.stringify(part)}`, () => {
      expectLinearTime(part, SIZE, repeated(part), lex)
    })
  }

  const beginnings: Array<[before: string, part: string]> = [
    ["E'\n'", '-'],
    ["E'\n'", '--'],
    ["E'\n'", ' --\n'],
    ["E'a'\n", '--\n'],
    ["E'a'\n", ' \t\f\v'],
    ["E'a'\n", "'b'\n"],
    ["E'a'\n", "--'\n"],
    ["E'", '\\'],
    ["E'", "''"],
  ]
  for (const [before, part] of beginnings) {
    it(`is linear in the tokens of ${JSON.stringify(before)} and ${JSON.stringify(part)}`, () => {
      expectLinearTime(before + part, SIZE, repeated(part, before), lex)
    })
  }

  const rules = [
    'a: ',
    ':a',
    '[',
    'age(',
    'age(a, ',
    'between ',
    'between (',
    'cast(a as float',
    'a as float ',
    'for update ',
    'now(',
    'order by ',
    'pg_create_a_pg_create_',
    'uuidv',
    "'now'::",
  ]
  for (const part of rules) {
    it(`is linear for the rules on ${JSON.stringify(part)}`, () => {
      expectLinearTime(
        part,
        SIZE / 4,
        repeated(part, FRONT_MATTER + STATEMENT, ' order by shop\n'),
        text => parseReport(sourceOf(text), 'shop'),
      )
    })
  }

  for (const part of ['{', '{a', '{ ', "'{", "'{a}", '{amount} ', 'за ', '₽']) {
    it(`is linear in a summary of ${JSON.stringify(part)}`, () => {
      const input = (size: number) => {
        const summary = JSON.stringify(repeated(part)(size))
        return `${FRONT_MATTER.replace(/summary: .*/, () => `summary: ${summary}`)}${STATEMENT}order by shop\n`
      }
      expectLinearTime(part, SIZE / 4, input, text => parseReport(sourceOf(text), 'shop'))
    })
  }

  for (const part of ['postgres://a:', 'postgresql://', 'sk_live_', 'за  {period_dates', '"']) {
    it(`is linear for check on ${JSON.stringify(part)} in a comment`, () => {
      const input = repeated(part, FRONT_MATTER + STATEMENT + '/* ', ' */ order by shop\n')
      expectLinearTime(part, SIZE, input, text => {
        const draft = draftOf(sourceOf(text), 'report')
        if (draft !== undefined) checkText(draft, [draft], { database: 'none' })
      })
    })
  }
})
