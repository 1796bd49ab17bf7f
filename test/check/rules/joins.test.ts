// Rules on joins and CTEs.
import { leftJoins, readCtes } from '../../../src/author/check/rules/joins.ts'
import { examples } from './examples.ts'

examples('CTEs are read', readCtes)`
right
  with recursive s as (select 1 as a union all select a + 1 from s) select a from s
  with s as materialized (select 1 as a) select a from (select a from t) as x join (s cross join t) on true
  with s as (table t) table s
  with recursive r as (select a from s), s as (select a from q), q as (select 1 as a) table r
1: nothing reads s
  with recursive s as (select 1 as a union all select a + 1 from s) select a from t
  with s as (select 1) select a from public.s
`

examples('left joins return rows without a match', leftJoins)`
right
  select t.a from t left join u on u.id = t.u_id where u.id is null
  select t.a from t left join u on u.id = t.u_id where u.kind is distinct from 1
  select t.a from t left join u on u.id = t.u_id where coalesce(u.kind, 1) = 1
  select t.a from t left join u on u.id = t.u_id where u.kind = 1 or u.id is null
  select t.a from t left join u on u.id = t.u_id where exists (select from v where v.u_id = u.id and v.k = 1)
  select u.id, (select max(v.x) from v where v.t_id = u.id) from t left join u on u.id = t.u_id
1: u.kind in where removes the rows without a match that left join returns
  select t.a from t left join u on u.id = t.u_id where u.kind in ('x', 'y')
1: u.name in where removes the rows without a match that left join returns
  select t.a from t left join u on u.id = t.u_id where u.name like 'x%'
1: u.day in where removes the rows without a match that left join returns
  select t.a from t left join u on u.id = t.u_id where u.day between :period_start and :period_end - 1
1: kind in where removes the rows without a match that left join returns
  with s as (select id, kind from u) select t.a from t left join s on s.id = t.u_id where kind = 1 and t.b = 2
`
