// Rules on division: fractions are not lost, and a divisor cannot be 0.
import { wholeDivision, zeroDivision } from '../../../src/author/check/rules/division.ts'
import { examples } from './examples.ts'

examples('a division has its fraction', wholeDivision)`
right
  select 100.0 * count(t.x) / nullif(count(*), 0) from t
  select sum(case when t.won then 1.0 else 0 end) / count(*) from t
  select sum(case when t.won then t.x else 0 end) / count(*) from t
  select t.n / t.m from t
  select avg(t.x) / count(*) from t
1: count(*) filter
  select count(*) filter (where t.x > 0) / count(*) over () from t
1: s.m / s.n drops the fraction of integers, expected 100.0 or a cast to numeric
  with s as (select count(*) as n, count(t.x) as m from t) select s.m / s.n from s
1: 100 * n
  with s as (select count(*) as n from t), r as (select coalesce(s.n, 0) as n from s) select 100 * n / greatest(n, 1) from r
1: count(*) over ()
  select count(*) over () / row_number() over (order by u.x) from u
1: max(case
  select t.k, max(case when t.b then 1 else 0 end) / count(*) from t group by t.k
`

examples('a division of totals has its fraction', wholeDivision, {
  totalOf: 'select count(*) as a, count(x) as b, sum(x) as c from t group by k',
})`
right
  max(c) / max(a)
1: max(b) / max(a) drops
  max(b) / max(a)
1: count(a) / count(*) drops
  count(a) / count(*)
`

examples('a divisor cannot be 0', zeroDivision)`
right
  with s as (select count(*) as n from t group by t.k) select 100.0 * s.n / sum(s.n) over () from s
  select sum(t.a) / greatest(sum(t.b), 1) from t
  with s as (select nullif(sum(t.b), 0) as b from t) select t.a / s.b from t cross join s
1: sum(t.b)::numeric may be 0, expected nullif(
  select sum(t.a) / sum(t.b)::numeric from t
1: coalesce(sum(t.b), 0) may be 0
  select sum(t.a) / coalesce(sum(t.b), 0) from t
1: count(*) filter (where t.b) may be 0
  select sum(t.a) / count(*) filter (where t.b) from t
1: s.b may be 0
  with s as (select sum(t.b) as b from t) select t.a / s.b from t cross join s
1: sum(t.a) over () may be 0
  select t.a / sum(t.a) over () from t
1: sum(s.n) may be 0
  with s as (select count(*) as n from t) select 1 / sum(s.n) from s
1: sum(count(*)) over () may be 0
  select count(*) / sum(count(*)) over () from t group by rollup (t.k)
`

examples('no total can divide by 0', zeroDivision, { totalOf: 'select a, b from t order by a' })`
1: count(*) may be 0
  sum(a) / count(*)
1: sum(b) may be 0
  sum(a) / sum(b)
`

examples('groups have a row each', zeroDivision, {
  totalOf: 'select sum(t.x) as a, count(*) as b from t group by t.k',
})`
right
  sum(a) / sum(b)
1: coalesce(sum(b), 0) may be 0
  sum(a) / coalesce(sum(b), 0)
`
