// Rules on totals: ratios are computed from sums.
import {
  countsAsTotals,
  distinctSums,
  percentTotals,
  sumsOfNothing,
  sumsOfRatios,
} from '../../../src/author/check/rules/totals.ts'
import { examples } from './rule-examples.ts'

const ROWS = 'select name, share, amount from t order by name'
examples(
  'percents do not add up',
  percentTotals,
  { columns: 'share: percent, amount: money', totalOf: ROWS },
  [
    ['round(avg(share), 1)', '1: avg(share) averages percentages'],
    ['sum(report.share)', '1: sum(share) adds up'],
    ['round(100.0 * sum(amount) / nullif(sum(amount), 0), 1)'],
    ['max(share)'],
  ],
)
examples('percents of the statement do not add up', percentTotals, { metrics: 'share: percent' }, [
  ['select\navg(s.share) as share from s', '2: avg(share) averages'],
  ['select sum(s.share) over () as share from s'],
  ['select sum(s.share) as other, 1 as share from s'],
])

examples(
  'a count of rows is no amount',
  countsAsTotals,
  { columns: 'amount: money', totalOf: ROWS },
  [
    [
      'count(*)',
      '1: count(*) is the number of rows under a column of type money, expected sum(amount)',
    ],
    ['count(*) filter (where amount > 0)'],
  ],
)
examples('a count of rows is a count', countsAsTotals, { columns: 'n: integer', totalOf: ROWS }, [
  ['count(*)'],
])

const ofStatement = (statement: string) => ({ columns: 'x: number', totalOf: statement })
examples(
  'averages do not add up',
  sumsOfRatios,
  ofStatement('with s as (select avg(a) as m from t) select round(s.m, 1) as x from s'),
  [
    ['sum(x)', '1: sum(x) is a sum of averages'],
    ['avg(x)', '1: avg(x) is a mean of averages'],
  ],
)
examples(
  'places do not add up',
  sumsOfRatios,
  ofStatement('select rank() over w as x from t window w as (order by a)'),
  [['sum(x)', '1: sum(x) is a sum of ranks']],
)
examples(
  'running totals do not add up',
  sumsOfRatios,
  ofStatement('select sum(a) over w as x from t window w as (order by b)'),
  [['sum(x)', '1: sum(x) is a sum of running totals']],
)
examples(
  'an average by its count adds up',
  sumsOfRatios,
  ofStatement('select avg(a) * count(a) as x from t group by b'),
  [['sum(x)']],
)
examples(
  'an amount of the best adds up',
  sumsOfRatios,
  ofStatement('select case when rank() over (order by a) = 1 then a else 0 end as x from t'),
  [['sum(x)']],
)
examples(
  'a share of the whole is no running total',
  sumsOfRatios,
  ofStatement('select sum(a) over (partition by b) as x from t'),
  [['sum(x)']],
)
examples(
  'a count of places adds up',
  sumsOfRatios,
  ofStatement(
    'with s as (select rank() over (order by a) as x, b from t) select count(s.x) as x from s group by s.b',
  ),
  [['sum(x)']],
)

examples('equal amounts are all added up', distinctSums, {}, [
  [
    'select b,\nsum(distinct t.a) from t group by b',
    '2: sum(distinct t.a) drops amounts that are equal, expected sum(t.a)',
  ],
  ['select avg(distinct a) filter (where b) from t', '1: avg(distinct a)'],
  ['select count(distinct a), sum(a), string_agg(distinct b, $$,$$) from t'],
])

const NULL = 'over no rows is null, expected coalesce('
examples(
  'a sum over nothing is 0',
  sumsOfNothing,
  { metrics: 'a: money, b: integer, c: percent' },
  [
    [
      'select 0 as b,\nsum(t.a) filter (where b > 0) as a from t',
      `2: sum(t.a) ${NULL}sum(t.a), 0)`,
    ],
    ['select 0 as b, -sum(t.a) + coalesce(sum(t.b), 0) as a from t', `1: sum(t.a) ${NULL}`],
    [
      'with s as (\nselect sum(t.a)::bigint as x from t) select s.x as a, 0 as b from s',
      `2: sum(t.a) ${NULL}`,
    ],
    ['select coalesce((select sum(t.a) from t), 0) as a, 0 as b'],
    ['select greatest(sum(t.a), 0) as a, 0 as b from t'],
    ['select 0 as a, 0 as b, sum(t.a) / nullif(sum(t.b), 0) as c from t'],
    ['select case when count(*) > 0 then sum(t.a) else 0 end as a, 0 as b from t'],
  ],
)
