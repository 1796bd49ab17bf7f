/** `svodka watch` parses unfinished files in the serving process: no input may block it. */
import { describe, it } from 'mocha'
import { checkRules } from '../../src/author/check/rules/list.ts'
import { draftOf } from '../../src/author/check/rules/draft.ts'
import { parseTenancy } from '../../src/definitions/tenancy.ts'
import { parseReport } from '../../src/definitions/report.ts'
import { IS_PROOF } from '../harness/is-proof.ts'
import { expectLinearTime, repeated } from '../harness/linear-time.ts'
import { parseSqlAnew } from '../harness/parse-sql.ts'
import { REPORT } from './sql-folder.ts'

const SIZE = 64 * 1024
const [FRONT_MATTER = ''] = REPORT.split('select')
const STATEMENT = 'select shop, amount from sales where organization_id = :organization_id '
const ORDER = ' order by shop\n'

/**
 * Text that is repeated in a statement, after a prefix, in a summary and in a comment. Nested comments are omitted:
 * PostgreSQL's scanner takes quadratic time for them, and the parser process is killed after a minute.
 */
const IN_STATEMENT = [
  ..."E'\\|E'''|-|/* */|'|''|\"|$|$a|$a$|:|:a|:=|1_|1e+|.|(|[|a|я|\\|\0".split('|'),
  ...'a: |age(|age(a, |between |between (|cast(a as float|a as float |for update '.split('|'),
  ..."now(|now(),\n|order by |pg_create_a_pg_create_|uuidv|'now'::|E'a' -- b\n|E'\n'--|--\n|\n".split(
    '|',
  ),
]
const AFTER_PREFIX = [
  ["E'\n'", '-'],
  ["E'\n'", ' --\n'],
  ["E'a'\n", "--'\n"],
  ["E'a'\n", ' \t\f\v'],
  ["E'", '\\'],
] as const
const IN_FRONT_MATTER: ReadonlyArray<(at: number) => string> = [() => 'a: 1\n', at => `k${at}: 1\n`]
/** In a statement, after a beginning; names that differ are compared with each other. */
const NUMBERED: ReadonlyArray<
  readonly [before: string, part: (at: number) => string, after: string]
> = [
  ['with a as (select 1)', at => `, a${at} as (select 1)`, ` ${STATEMENT}`],
  [
    'with recursive a as (select 1)',
    at => `, a${at} as (with b as (select 1) table b)`,
    ` ${STATEMENT}`,
  ],
  ['with a as (select 1)', at => `, a${at} as (table b${at})`, ` ${STATEMENT}`],
  ['select shop, amount from sales', at => `, b${at}`, ''],
]
const IN_SUMMARY = "{|{a|{ |'{|'{a}|{amount} |за |₽".split('|')
const IN_COMMENT = 'postgres://a:|postgresql://|sk_live_|за  {period_dates|"'.split('|')

/** Each n-th case is tested. */
const EVERY = IS_PROOF ? 1 : 6

type Case = [what: string, input: (size: number) => string]

const statements = [...IN_STATEMENT.map(part => ['', part] as const), ...AFTER_PREFIX]
const cases: Case[] = [
  ...statements.map(([before, part]): Case => [
    `a statement of ${JSON.stringify(`${before}${part}...`)}`,
    repeated(part, FRONT_MATTER + STATEMENT + before, ORDER),
  ]),
  ...IN_FRONT_MATTER.map((line): Case => [
    `front matter of ${JSON.stringify(line(1))}`,
    size => {
      // why: more than 64 KiB is rejected at once
      const lines = Array.from({ length: size / 2 / line(1000).length }, (_, at) => line(at))
      return FRONT_MATTER.replace('columns:', () => `${lines.join('')}columns:`)
    },
  ]),
  ...NUMBERED.map(([before, part, after]): Case => [
    `a statement of ${JSON.stringify(before + part(1))}`,
    size => {
      const parts = Array.from({ length: size / part(1000).length }, (_, at) => part(at))
      return FRONT_MATTER + before + parts.join('') + after + ORDER
    },
  ]),
  ...IN_SUMMARY.map((part): Case => [
    `a summary of ${JSON.stringify(part)}`,
    size => {
      const summary = `summary: ${JSON.stringify(repeated(part)(size))}`
      return FRONT_MATTER.replace(/summary: .*/, () => summary) + STATEMENT + ORDER
    },
  ]),
]
const comments = IN_COMMENT.map((part): Case => [
  `a comment of ${JSON.stringify(part)}`,
  repeated(part, `${FRONT_MATTER}${STATEMENT}/* `, ` */${ORDER}`),
])
const some = (all: readonly Case[]) => all.filter((_, at) => at % EVERY === 0)

describe('the time to read a definition', function () {
  this.timeout(120_000)
  for (const [what, input] of some(cases)) {
    it(`is linear in ${what}`, () => expectLinearTime(what, SIZE, input, read))
  }
  for (const [what, input] of some(comments)) {
    it(`is linear in ${what}`, () => expectLinearTime(what, SIZE, input, check))
  }
})

const { tenancy: TENANCY } = parseTenancy('sales: organization_id', 'sql/tenancy.yaml')

const sourceOf = (text: string) => ({
  file: 'sql/reports/shop/sales.sql',
  code: 'sales',
  text,
  version: '0',
})

function read(text: string): Promise<unknown> {
  return parseReport(sourceOf(text), parseSqlAnew, TENANCY!)
}

async function check(text: string): Promise<void> {
  const draft = await draftOf(sourceOf(text), 'report', parseSqlAnew)
  if (draft !== undefined) checkRules(draft)
}
