// The rule on percents: 12.5 stands for 12.5 %.
import { percents } from '../../../src/author/check/rules/percents.ts'
import { examples } from './examples.ts'

examples('a percent is no share of 1', percents, { columns: 'p: percent, a: money' })`
right
  select sum(t.a) / (0.01 * nullif(sum(t.b), 0)) as p from t
  select '100'::numeric * sum(t.a) / nullif(sum(t.b), 0) as p from t
  with s as (select t.a::numeric / t.b as q from t) select round(100 * s.q, 1) as p from s
  select sum(t.share * t.a) / nullif(sum(t.a), 0) as p from t
  select t.percent as p, t.a from t
  select avg(case when t.won then 100.0 else 0 end) as p from t
  select sum(t.a) / 100 as p from t
  select f(t.a, t.b) as p, t.a::numeric / t.b as a from t
1: p is a share of 1, expected percent
  select 1.0 * count(*) filter (where t.x > 1000) / count(*) as p from t
  select 1 - sum(t.a)::numeric / nullif(sum(t.b), 0) as p from t
  select coalesce(sum(t.a) / nullif(sum(t.b), 0), 0) as p from t
  select avg(case when t.won then 1.0 else 0 end) as p from t
  select avg((t.x > 0)::int) as p from t
`

examples('a percent of totals is no share of 1', percents, {
  columns: 'p: percent, margin: money',
  totalOf: 'select 100.0 * t.margin / t.b as p, t.margin_kopecks as margin, t.b as a from t',
})`
1: p is a share of 1, expected percent
  round(sum(margin) / nullif(sum(a), 0), 3)
  sum(a)::numeric / nullif(sum(sum(a)) over (), 0)
`
