// Rules on front matter, and on the columns that it declares.
import { expect } from 'chai'
import { selectedColumns, totalsOfColumns } from '../../../src/author/check/rules/columns.ts'
import { draftOf } from '../../../src/author/check/rules/draft.ts'
import type { TextRule } from '../../../src/author/check/rules/text-rule.ts'
import {
  unusedFields,
  staleAfterFresh,
  titles,
} from '../../../src/author/check/rules/front-matter.ts'
import { parseSql } from '../../harness/parse-sql.ts'
import { examples } from './examples.ts'

examples('columns are selected once', selectedColumns, { columns: 'a: integer, b: money' })`
right
  select t.a collate "C", (t.b collate "C")::text from t
  select grouping(t.x) as a, t.b::int::bigint from t
  select b, "a" from t union all select 1, 2
  select t.*, 1 as c from t
-3: columns.b: the statement selects no "b", expected one of c
2: "c" is selected and not declared
  select t.a,
    t.c from t
1: "a" is selected twice
  select t.a, t.b, 1 as a from t
1: "count" is selected and not declared
  select t.a, t.b, count(*) from t
-3: columns.b
1: "text" is selected and not declared
  select t.a, '1'::int::text from t
-3: columns.b
1: "case" is
  select t.a, case when t.x then 1 else 2::int end from t
`

const TOTALS = { columns: 'a: integer, b: money', totalOf: 'select a, b from t' }
examples('totals are of columns', totalsOfColumns, TOTALS)`
right
  (select max(total) from (select sum(b) as total from report group by a) as sums)
1: sum(c) is of no column
  sum(c)
  (select max(total) from (select sum(c) as total from report group by a) as sums)
1: count(bb) is of no column, expected one of a, b
  round(sum(a) / nullif(count(bb), 0))
`

const HEAD = `/*---
title: T
columns:
  name: { title: Имя, type: text }
  a: { title: А, type: integer, hidden: true }
key: [name]
facts:
  f: { type: integer, total: count(name) }
summary: "{row_count} {f}"
fresh: { open: 60s, closed: 1h }
---*/
`

/** A change of the front matter or the statement, and what is found. */
const CHANGES: Array<[rule: TextRule, out: string, into: string, ...expected: string[]]> = [
  [unusedFields, '{f}', '{a}', '8: facts.f: nothing reads it'],
  [unusedFields, 'order by name', 'order by t.a'],
  [unusedFields, 'order by name', 'order by 1, 2'],
  [unusedFields, 'count(name)', 'count(name) filter (where a > 0)'],
  [unusedFields, '{f}', '{ff}'],
  [titles, 'А, type: integer', 'Имя, type: integer'],
  [staleAfterFresh, 'fresh: {', 'stale: 60s\nfresh: {'],
]

describe('front matter', () => {
  for (const [rule, out, into, ...expected] of CHANGES) {
    it(`${expected.length === 0 ? 'right' : 'wrong'}: ${into || 'unchanged'}`, async () => {
      const text = `${HEAD}select name, t.a from t order by name`.replace(out, into)
      const source = { file: 'sql/t.sql', version: '', code: 't', text }
      const draft = await draftOf(source, 'report', parseSql)
      if (draft === undefined) throw new Error('the statement is not parsed')
      const found = rule(draft, [draft]).map(({ line, message }) => `${line}: ${message}`)
      expect(found).to.have.length(expected.length)
      expected.forEach((words, at) => expect(found[at]).to.include(words))
    })
  }
})
