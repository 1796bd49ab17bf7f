/** What is written in a file that is being written is read in the serving process by `svodka watch`: none may hold it. */
import { describe, it } from 'mocha'
import { checkText } from '../../src/author/check/text/check-text.ts'
import { draftOf } from '../../src/author/check/text/draft.ts'
import { parseReport } from '../../src/definitions/report.ts'
import { expectLinearTime, repeated } from '../harness/linear-time.ts'
import { REPORT } from './sql-folder.ts'

const SIZE = 64 * 1024
const [FRONT_MATTER = ''] = REPORT.split('select')
const STATEMENT = 'select shop, amount from sales where organization_id = :organization_id '
const ORDER = ' order by shop\n'

/** What is repeated: in a statement behind what stands before it, in a summary, and in a comment. */
const IN_STATEMENT = [
  ..."E'\\|E'''|-|/*|*/|/* */|'|''|\"|$|$a|$a$|:|:a|:=|1_|1e+|.|+-|(|[|a|я|\\|\0".split('|'),
  ...'a: |age(|age(a, |between |between (|cast(a as float|a as float |for update '.split('|'),
  ..."now(|order by |pg_create_a_pg_create_|uuidv|'now'::|E'a' -- b\n|E'\n'--|--\n|\n".split('|'),
]
const BEHIND = [
  ["E'\n'", '-'],
  ["E'\n'", ' --\n'],
  ["E'a'\n", "--'\n"],
  ["E'a'\n", ' \t\f\v'],
  ["E'", '\\'],
] as const
const IN_SUMMARY = "{|{a|{ |'{|'{a}|{amount} |за |₽".split('|')
const IN_COMMENT = 'postgres://a:|postgresql://|sk_live_|за  {period_dates|"'.split('|')

type Case = [what: string, input: (size: number) => string, work: (text: string) => void]

/** @param every takes each so-manieth case */
export function readInLinearTime(every: number): void {
  const statements = [...IN_STATEMENT.map(part => ['', part] as const), ...BEHIND]
  const cases: Case[] = [
    ...statements.map(([before, part]): Case => [
      `a statement of ${JSON.stringify(`${before}${part}...`)}`,
      repeated(part, FRONT_MATTER + STATEMENT + before, ORDER),
      read,
    ]),
    ...IN_SUMMARY.map((part): Case => [
      `a summary of ${JSON.stringify(part)}`,
      size => {
        const summary = `summary: ${JSON.stringify(repeated(part)(size))}`
        return FRONT_MATTER.replace(/summary: .*/, () => summary) + STATEMENT + ORDER
      },
      read,
    ]),
    ...IN_COMMENT.map((part): Case => [
      `a comment of ${JSON.stringify(part)}`,
      repeated(part, `${FRONT_MATTER}${STATEMENT}/* `, ` */${ORDER}`),
      check,
    ]),
  ]

  describe('the time to read a definition', function () {
    this.timeout(120_000)
    for (const [what, input, work] of cases.filter((_, at) => at % every === 0)) {
      it(`is linear in ${what}`, () => expectLinearTime(what, SIZE, input, work))
    }
  })
}

const sourceOf = (text: string) => ({
  file: 'sql/reports/shop/sales.sql',
  code: 'sales',
  text,
  version: '0',
})

function read(text: string): void {
  parseReport(sourceOf(text), 'shop')
}

function check(text: string): void {
  const draft = draftOf(sourceOf(text), 'report')
  if (draft !== undefined) checkText(draft, [draft], { database: 'none' })
}
