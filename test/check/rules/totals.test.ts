// Rules on totals: ratios are computed from sums.
import {
  countsAsTotals,
  distinctSums,
  percentTotals,
  sumsOfNothing,
  sumsOfRatios,
} from '../../../src/author/check/rules/totals.ts'
import { examples } from './examples.ts'

examples('percents do not add up', percentTotals, {
  columns: 'share: percent, amount: money',
  totalOf: 'select name, share, amount from t order by name',
})`
right
  max(share)
`

examples('percents of the statement do not add up', percentTotals, { metrics: 'share: percent' })`
right
  select sum(s.share) over () as share from s
  select sum(s.share) as other, 1 as share from s
2: avg(share) averages
  select
    avg(s.share) as share from s
`

examples('a count of rows is no amount', countsAsTotals, {
  columns: 'amount: money',
  totalOf: 'select name, share, amount from t order by name',
})`
right
  count(*) filter (where amount > 0)
1: count(*) is the number of rows under a column of type money, expected sum(amount)
  count(*)
`

examples('a count of rows is a count', countsAsTotals, {
  columns: 'n: integer',
  totalOf: 'select name, share, amount from t order by name',
})`
right
  count(*)
`

examples('ratios do not add up', sumsOfRatios, { columns: 'x: number', total: 'sum(x)' })`
right
  select avg(a) * count(a) as x from t group by b
  select case when rank() over (order by a) = 1 then a else 0 end as x from t
  select sum(a) over (partition by b) as x from t
  with s as (select rank() over (order by a) as x, b from t) select count(s.x) as x from s group by s.b
1: sum(x) is a sum of averages
  with s as (select avg(a) as m from t) select round(s.m, 1) as x from s
1: sum(x) is a sum of ranks
  select rank() over w as x from t window w as (order by a)
1: sum(x) is a sum of running totals
  select sum(a) over w as x from t window w as (order by b)
`

examples('averages of averages', sumsOfRatios, { columns: 'x: number', total: 'avg(x)' })`
1: avg(x) is a mean of averages
  with s as (select avg(a) as m from t) select round(s.m, 1) as x from s
`

examples('equal amounts are all added up', distinctSums)`
right
  select count(distinct a), sum(a), string_agg(distinct b, $$,$$) from t
1: avg(distinct a)
  select avg(distinct a) filter (where b) from t
`

examples('a sum over nothing is 0', sumsOfNothing, { metrics: 'a: money, b: integer, c: percent' })`
right
  select coalesce((select sum(t.a) from t), 0) as a, 0 as b
  select greatest(sum(t.a), 0) as a, 0 as b from t
  select 0 as a, 0 as b, sum(t.a) / nullif(sum(t.b), 0) as c from t
  select case when count(*) > 0 then sum(t.a) else 0 end as a, 0 as b from t
1: sum(t.a) over no rows is null, expected coalesce(
  select 0 as b, -sum(t.a) + coalesce(sum(t.b), 0) as a from t
2: sum(t.a) over no rows is null, expected coalesce(
  with s as (
    select sum(t.a)::bigint as x from t) select s.x as a, 0 as b from s
`
