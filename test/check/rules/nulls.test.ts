// Rules on null: conditions that are never true.
import {
  constantsFirst,
  neverTaken,
  notIn,
  nullTests,
} from '../../../src/author/check/rules/nulls.ts'
import { examples } from './examples.ts'

examples('null is tested by is', nullTests)`
right
  select a from t where b = 'null'
  select nullif(a, 0), coalesce(b, null) from t
  select f(a => null) from t
1: = null
  select case when b = null then 1 end from t
1: not in (..., null) is never true
  select a from t where b not in (1, null)
`

examples('null is tested in a total', nullTests, { totalOf: 'select a, b from t order by a' })`
right
  count(*) filter (where b is null)
1: = null is never true
  count(*) filter (where b = null)
`

examples('not in has no null', notIn)`
right
  select a from t where b not in (select u.b from u join v on v.id = u.b)
  select a from t where b not in (select u.id from u)
  select a from t where b not in (select stages.stage_id from stages)
  select a from t where b not in (select u.id from u left join v on v.u_id = u.id)
  select a from t where b not in (select coalesce(u.b, 0) from u)
  select a from t where not exists (select from u where u.b = t.b)
1: not in (select ...) is never true if the select returns a null
  select a from t where b <> all (select u.b from u)
  select a from t where b not in (select u.id from t left join u on u.id = t.b)
  select a from t where b not in (select u.b from u where u.c is not null)
`

examples('each branch can be taken', neverTaken)`
right
  select case b when 1 then null end from t
`

examples('coalesce has its constant last', constantsFirst)`
right
  select coalesce(b, 'none'), coalesce(null, b), coalesce(:as_of, b) from t
1: coalesce(0::bigint, ...) is always 0::bigint
  select coalesce(0::bigint, b) from t
`
