// Rules on units: money is in whole kopecks.
import { exactMoney, kopecks, wholeRoubles } from '../../../src/author/check/rules/units.ts'
import { examples } from './rule-examples.ts'

const MONEY = { columns: 'a: money, n: number' }
examples('a number of roubles has its fraction', wholeRoubles, MONEY, [
  [
    'select max(t.amount_kopecks) / 100 as n from t',
    '1: n drops the fraction of integers, expected 100.0',
  ],
  ['select t.x,\nt.price_cents / 100 as n from t', '2: n drops the fraction'],
  ['select max(t.amount_kopecks) / 100.0 as n from t'],
  ['select t.seconds / 100 as n from t'],
])

const DOUBLE = 'a double, expected'
examples('money is no double', exactMoney, MONEY, [
  [
    "select t.x * date_part('day', t.y) as a from t",
    `1: a goes through date_part(), ${DOUBLE} extract`,
  ],
  [
    'with s as (\nselect sqrt(t.x) as y from t) select round(s.y * 2) as a from s',
    `2: a goes through sqrt(), ${DOUBLE} a cast`,
  ],
  ['select power(t.x, 2) as a from t', '1: a goes through power()'],
  ["select t.x * date_part('day', t.y)::int as a from t"],
  ['select extract(day from t.y) * t.x as a from t'],
  ['select sqrt(t.x::numeric) as a, sqrt(t.x) as n from t'],
  ['select round(sum(t.x) * power(1.1, 2)) as a from t'],
  ["select sum(t.x) filter (where date_part('day', t.y) = 1) as a from t"],
  ["select case when date_part('day', t.y) = 1 then t.x end as a from t"],
])

const ROUBLES = 'expected whole kopecks: the response and the summary print roubles'
const SMALL = 'which overflows at 21 million roubles, expected bigint or numeric'
examples('money is in whole kopecks', kopecks, MONEY, [
  ['select t.amount_kopecks / 100 as a from t', `1: a is divided by 100, ${ROUBLES}`],
  [
    'select sum(t.x) as n,\nround(sum(t.amount) * 0.01, 2) as a from t',
    `2: a is multiplied by 0.01, ${ROUBLES}`,
  ],
  ['select coalesce(sum(t.x), 0)::numeric / 100.0 as a from t', '1: a is divided by 100'],
  [
    'with s as (select t.k,\nsum(t.x) / 100 as roubles from t group by t.k) select s.roubles as a from s',
    '2: a is divided by 100',
  ],
  ['select case when t.b then t.x / 100 else 0 end as a from t', '1: a is divided by 100'],
  ['select t.x as a from t union all\nselect u.x / 100 from u', '2: a is divided by 100'],
  ['select sum(t.x)::integer as a from t', `1: a is cast to integer, ${SMALL}`],
  ['select sum(t.x::int) as a from t', `1: a is cast to int, ${SMALL}`],
  ['select sum(t.amount_rub) as a from t', '1: a is t.amount_rub, whole roubles by its name'],
  [
    'select t.price_rub + t.fee_rub as a from t',
    '1: a is t.price_rub, whole roubles',
    '1: a is t.fee_rub, whole roubles',
  ],
  [
    'select round(sum(t.unit_price * t.quantity), 2) as a from t',
    '1: a has a fraction by round(sum(t.unit_price * t.quantity), 2)',
  ],

  ['select (sum(t.unit_price * t.quantity) * 100)::bigint as a from t'],
  ['select round(round(t.unit_price, 2) * 100) as a from t'],
  ['with s as (select sum(t.x) / 100.0 as roubles from t) select s.roubles * 100 as a from s'],
  ['select t.x * t.vat_percent / 100 as a from t'],
  ['select round(sum(t.x) / nullif(count(*), 0)) as a from t'],
  ['select round(t.x::numeric(12, 2)) as a from t'],
  ["select t.x / 100 || ' ₽' as n from t"],
])
examples(
  'money of totals is in whole kopecks',
  kopecks,
  { columns: 'a: money', totalOf: 'select t.x as a, t.y / 100 as b from t' },
  [
    ['sum(a) / 100', '1: a is divided by 100'],
    ['sum(a)::int', '1: a is cast to int'],
  ],
)
