// Rules on which rows there are and in which order.
import {
  noStar,
  unorderedWindows,
  picked,
  uncut,
  unionAll,
} from '../../../src/author/check/rules/rows.ts'
import { examples } from './rule-examples.ts'

examples('rows of a report are not dropped', uncut, {}, [
  ['select a from t order by a limit 10', '1: limit on the whole statement drops rows silently'],
  ['select a from t\norder by a\nfetch first 10 rows only', '3: limit on the whole'],
  ['select a from t order by a offset 5', '1: offset on the whole'],
  ['(select a from t) union all select b from u order by a limit 3', '1: limit on the whole'],
  ['select a from t order by a limit all'],
  ['select a from t order by a offset 0'],
])

const CHANCE = 'without an order by takes rows by chance'
examples('rows are not chosen by chance', picked, {}, [
  ['select a from (select a from t fetch first row only) as s order by a', `1: limit ${CHANCE}`],
  [
    'with s as (\nselect distinct on (b) a from t) select a from s order by a',
    `2: distinct on ${CHANCE}`,
  ],
  [
    'select a from (select a from t union select a from u limit 1) as s order by a',
    `1: limit ${CHANCE}`,
  ],
  [
    'select a from t left join lateral (select b from u where u.x = t.x limit 1) as l on true order by a',
    `1: limit ${CHANCE}`,
  ],
  ['(select a from t limit 1) union all select b from u order by a', `1: limit ${CHANCE}`],
  ['select a from t order by a limit 10'],
  ['select a from t where exists (select b from u where u.t_id = t.id limit 1) order by a'],
  ['select a from t where (select true from u where u.t_id = t.id limit 1) order by a'],
  ['select (select max(b) from u limit 1) from t order by a'],
  ['select a from (select distinct a from t) as s order by a'],
  ['select a from (select a from t offset 0) as s order by a'],
])

examples('metrics are not chosen by chance', picked, { metrics: 'a: integer' }, [
  ['select t.a from t limit 1', `1: limit ${CHANCE}`],
  ['select sum(t.a) as a from t limit 1'],
])

const UNORDERED = 'without an order by depends on chance'
examples('an order is stated', unorderedWindows, {}, [
  ['select row_number() over () from t', `1: row_number() ${UNORDERED}`],
  ['select a,\nlag(a) over (partition by b) from t', `2: lag() ${UNORDERED}`],
  [
    'select first_value(a) over w from t window w as (partition by b)',
    `1: first_value() ${UNORDERED}`,
  ],
  ["select array_to_string(array_agg(a), ', ') from t", `1: array_agg() ${UNORDERED}`],
  ["select a from (select string_agg(b, ',') as a from u) as s", `1: string_agg() ${UNORDERED}`],
  ['select row_number() over (order by a) from t'],
  ['select rank() over w from t window w as (order by a)'],
  [
    'select last_value(a) over (w rows unbounded preceding) from t window w as (partition by b order by a)',
  ],
  ["select string_agg(distinct a, ', ') from t"],
  ['select (array_agg(a order by b desc))[1] from t'],
  [
    'select a from t where a = any (array(select b from u)) and b = any ((select array_agg(c) from u)::int[])',
  ],
])

examples('columns are named', noStar, {}, [
  ['select *\nfrom t', '1: * takes whatever columns t has'],
  ['select a from (table t) as u', '1: table t takes whatever columns t has'],
  ['select t.* from t join u on u.id = t.u_id', '1: t.* takes whatever columns t has'],
  ['with s as (select a from t) select s.*, u.b from s join u on u.a = s.a'],
  ['select a from t where exists (select * from u where u.a = t.a)'],
  ["select * from (values (1, 'x')) as v (a, b)"],
  ['select * from generate_series(1, 3) as g (a)'],
])

const UNION = 'union drops rows that are equal'
examples('a union does not drop amounts', unionAll, {}, [
  [
    'select sum(s.a) from (\nselect a, b from t\nunion\nselect a, b from u) as s',
    `3: ${UNION}, and their a with them`,
  ],
  [
    'with s as (select a from t union distinct select a from u), r as (select * from s) select avg(r.a) from r',
    `1: ${UNION}`,
  ],
  ['with s (x) as (select a from t union select b from u) select sum(x) from s', `1: ${UNION}`],
  ['select sum(s.a) from (select a, b from t union all select a, b from u) as s'],
  ['select sum(s.a) from (select id, a from t union select id, a from u) as s'],
  [
    "select sum(s.a) from (select 'in' as k, sum(a) as a from t union select 'out', sum(a) from u) as s",
  ],
  ['select sum(s.a) from (select a from t intersect select a from u) as s'],
])
examples(
  'a total sums the rows of a union',
  unionAll,
  { totalOf: 'select t.x as a, b from t union select u.x, b from u order by a' },
  [['sum(a)', `5: ${UNION}`]],
)
