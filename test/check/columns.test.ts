// Columns traced through CTEs that read one another.
import { expect } from 'chai'
import { contributorsOf, makersIn } from '../../src/author/sql/columns.ts'
import { checkRules } from '../../src/author/check/rules/check-rules.ts'
import { draftOf } from '../../src/author/check/rules/draft.ts'
import { readQuery } from '../../src/author/sql/query.ts'
import { parseSql } from '../harness/parse-sql.ts'

describe('columns', () => {
  it('are traced through forty CTEs with stars', async () => {
    const levels = Array.from({ length: 40 }, (_, at) => {
      const [inner, own] = [`t${at}`, `t${at + 1}`]
      return `${own} as (select a.*, b.id as id${at} from ${inner} as a join ${inner} as b using (x))`
    })
    const text = `with t0 as (select id, x from visits), ${levels.join(', ')} select id from t40`
    const { statements } = await parseSql({ text, placeholders: [] })
    const query = readQuery(statements[0]?.tree)
    const [made] = query === undefined ? [] : makersIn(query, 'id')
    const all = made === undefined ? [] : contributorsOf(made.item.expression, made.select)
    expect(all).to.have.length(42)
  })

  const LEVELS = 30
  for (const [what, first, next] of [
    [
      'unions',
      'a, b, id, day',
      'select a, b, id, day from x union all select a, b, id, day from x',
    ],
    ['unions of stars', '*', 'select * from x union all select * from x'],
    ['joins', 'a, b, id, day', 'select x.a, x.b, x.id, x.day from x cross join x as y'],
  ] as const) {
    it(`are traced by every rule through ${LEVELS} CTEs of ${what}`, async () => {
      const levels = Array.from({ length: LEVELS }, (_, at) => {
        return `c${at + 1} as (${next.replaceAll(/\bfrom x\b|join x\b/g, found => found.replace('x', `c${at}`)).replaceAll('x.', `c${at}.`)})`
      })
      const last = `c${LEVELS}`
      const text = `/*---
title: T
columns:
  a: { title: A, type: text }
  b: { title: B, type: percent, total: sum(b) }
  c: { title: C, type: money, total: sum(c) }
summary: "{row_count}"
---*/
with c0 as (select ${first} from t where t.organization_id = :organization_id), ${levels.join(', ')}
select ${last}.a, 100.0 * ${last}.b / ${last}.b as b, sum(${last}.b) as c from ${last}
where ${last}.id = :organization_id and ${last}.day >= :period_start and ${last}.day < :period_end
  and ${last}.a = 'x' order by 1
`
      const draft = await draftOf(
        { file: 'x.sql', code: 'x', version: '', text },
        'report',
        parseSql,
      )
      expect(checkRules(draft!, [draft!], { isAsked: true }).length).to.be.below(40)
    })
  }
})
