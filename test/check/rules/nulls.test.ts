// Rules on null: conditions that are never true.
import {
  constantsFirst,
  neverTaken,
  notIn,
  nullTests,
} from '../../../src/author/check/rules/nulls.ts'
import { examples } from './rule-examples.ts'

examples('null is tested by is', nullTests, {}, [
  ['select a from t where b != null', '1: <> null is never true, expected is not null'],
  ['select case when b = null then 1 end from t', '1: = null'],
  ['select a from t where b not in (1, null)', '1: not in (..., null) is never true'],
  ['select a from t where b is null and c is not null'],
  ['select a from t where b is distinct from null'],
  ["select a from t where b = 'null'"],
  ['select nullif(a, 0), coalesce(b, null) from t'],
  ['select f(a => null) from t'],
])

examples('null is tested in a total', nullTests, { totalOf: 'select a, b from t order by a' }, [
  ['count(*) filter (where b = null)', '1: = null is never true'],
  ['count(*) filter (where b is null)'],
])

const NOT_IN = 'not in (select ...) is never true if the select returns a null'
examples('not in has no null', notIn, {}, [
  ['select a from t where b <> all (select u.b from u)', `1: ${NOT_IN}`],
  ['select a from t where b not in (select u.id from t left join u on u.id = t.b)', `1: ${NOT_IN}`],
  ['select a from t where b not in (select u.b from u where u.c is not null)', `1: ${NOT_IN}`],
  ['select a from t where b not in (select u.b from u where u.b is not null)'],
  ['select a from t where b not in (select u.b from u join v on v.id = u.b)'],
  ['select a from t where b not in (select u.id from u)'],
  ['select a from t where b not in (select stages.stage_id from stages)'],
  ['select a from t where b not in (select u.id from u left join v on v.u_id = u.id)'],
  ['select a from t where b not in (select coalesce(u.b, 0) from u)'],
  ['select a from t where not exists (select from u where u.b = t.b)'],
  ["select a from t where b not in ('x', 'y')"],
])

examples('each branch can be taken', neverTaken, {}, [
  ['select case b\nwhen null then 1 end from t', '2: when null is never true'],
  ['select case b when 1 then null end from t'],
])

examples('coalesce has its constant last', constantsFirst, {}, [
  ["select coalesce('none', b) from t", "1: coalesce('none', ...) is always 'none'"],
  ['select coalesce(0::bigint, b) from t', '1: coalesce(0::bigint, ...) is always 0::bigint'],
  ["select coalesce(b, 'none'), coalesce(null, b), coalesce(:as_of, b) from t"],
])
