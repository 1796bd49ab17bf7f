// Rules on which rows there are and in which order.
import {
  noStar,
  unorderedWindows,
  picked,
  uncut,
  unionAll,
} from '../../../src/author/check/rules/rows.ts'
import { examples } from './examples.ts'

examples('rows of a report are not dropped', uncut)`
right
  select a from t order by a limit all
  select a from t order by a offset 0
1: offset on the whole
  select a from t order by a offset 5
1: limit on the whole
  (select a from t) union all select b from u order by a limit 3
`

examples('rows are not chosen by chance', picked)`
right
  select a from t where (select true from u where u.t_id = t.id limit 1) order by a
  select a from (select a from t offset 0) as s order by a
1: limit without an order by takes rows by chance
  select a from (select a from t fetch first row only) as s order by a
  select a from (select a from t union select a from u limit 1) as s order by a
  select a from t left join lateral (select b from u where u.x = t.x limit 1) as l on true order by a
  (select a from t limit 1) union all select b from u order by a
`

examples('metrics are not chosen by chance', picked, { metrics: 'a: integer' })`
right
  select sum(t.a) as a from t limit 1
1: limit without an order by takes rows by chance
  select t.a from t limit 1
`

examples('an order is stated', unorderedWindows)`
right
  select row_number() over (order by a) from t
  select rank() over w from t window w as (order by a)
  select last_value(a) over (w rows unbounded preceding) from t window w as (partition by b order by a)
  select string_agg(distinct a, ', ') from t
  select (array_agg(a order by b desc))[1] from t
  select a from t where a = any (array(select b from u)) and b = any ((select array_agg(c) from u)::int[])
1: first_value() without an order by depends on chance
  select first_value(a) over w from t window w as (partition by b)
1: string_agg() without an order by depends on chance
  select a from (select string_agg(b, ',') as a from u) as s
`

examples('columns are named', noStar)`
right
  with s as (select a from t) select s.*, u.b from s join u on u.a = s.a
  select * from (values (1, 'x')) as v (a, b)
  select * from generate_series(1, 3) as g (a)
1: table t takes whatever columns t has
  select a from (table t) as u
1: t.* takes whatever columns t has
  select t.* from t join u on u.id = t.u_id
`

examples('a union does not drop amounts', unionAll)`
right
  select sum(s.a) from (select a, b from t union all select a, b from u) as s
  select sum(s.a) from (select id, a from t union select id, a from u) as s
  select sum(s.a) from (select 'in' as k, sum(a) as a from t union select 'out', sum(a) from u) as s
  select sum(s.a) from (select a from t intersect select a from u) as s
1: union drops rows that are equal
  with s as (select a from t union distinct select a from u), r as (select * from s) select avg(r.a) from r
  with s (x) as (select a from t union select b from u) select sum(x) from s
`

examples('a total sums the rows of a union', unionAll, {
  totalOf: 'select t.x as a, b from t union select u.x, b from u order by a',
})`
5: union drops rows that are equal
  sum(a)
`
