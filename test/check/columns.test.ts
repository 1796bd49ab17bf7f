// Columns traced through CTEs that read one another.
import { expect } from 'chai'
import { checkRules } from '../../src/author/check/rules/check-rules.ts'
import { draftOf } from '../../src/author/check/rules/draft.ts'
import { parseSql } from '../harness/parse-sql.ts'

describe('columns', () => {
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
