// Rules on joins and CTEs.
import { crossJoins, leftJoins, readCtes } from '../../../src/author/check/rules/joins.ts'
import { examples } from './rule-examples.ts'

examples('CTEs are read', readCtes, {}, [
  [
    'with recursive s as (select 1 as a union all select a + 1 from s) select a from t',
    '1: nothing reads s',
  ],
  ['with s as (select 1) select a from public.s', '1: nothing reads s'],
  ['with recursive s as (select 1 as a union all select a + 1 from s) select a from s'],
  [
    'with s as materialized (select 1 as a) select a from (select a from t) as x join (s cross join t) on true',
  ],
  ['with s as (table t) table s'],
  ['with recursive r as (select a from s), s as (select a from q), q as (select 1 as a) table r'],
])

const LOST = 'in where removes the rows without a match that left join returns'
examples('left joins return rows without a match', leftJoins, {}, [
  [
    "select t.a from t left join u on u.id = t.u_id where u.kind in ('x', 'y')",
    `1: u.kind ${LOST}`,
  ],
  ["select t.a from t left join u on u.id = t.u_id where u.name like 'x%'", `1: u.name ${LOST}`],
  [
    'select t.a from t left join u on u.id = t.u_id where u.day between :period_start and :period_end - 1',
    `1: u.day ${LOST}`,
  ],
  [
    'with s as (select id, kind from u) select t.a from t left join s on s.id = t.u_id where kind = 1 and t.b = 2',
    `1: kind ${LOST}`,
  ],
  ['select t.a from t left join u on u.id = t.u_id where u.id is null'],
  ['select t.a from t left join u on u.id = t.u_id where u.kind is distinct from 1'],
  ['select t.a from t left join u on u.id = t.u_id where coalesce(u.kind, 1) = 1'],
  ['select t.a from t left join u on u.id = t.u_id where u.kind = 1 or u.id is null'],
  [
    'select t.a from t left join u on u.id = t.u_id where exists (select from v where v.u_id = u.id and v.k = 1)',
  ],
  ['select u.id, (select max(v.x) from v where v.t_id = u.id) from t left join u on u.id = t.u_id'],
])

const ROW = 'is joined to every row of'
examples('joins have their conditions', crossJoins, {}, [
  ['select a from t join u on true', `1: u ${ROW} t`],
  [
    'select a from t join u using (organization_id) where t.organization_id = :organization_id',
    `1: u ${ROW} t`,
  ],
  ['select a from t cross join (select b from u order by b limit 5) as s', `1: s ${ROW} t`],
  ['select a from t cross join lateral (select b from u where u.kind = 1) as l', `1: l ${ROW} t`],
  ['select (select count(*) from u, v where u.t_id = t.id) from t', `1: v ${ROW} u`],

  [
    'select a from t cross join organizations as o join plans on plans.id = o.plan_id where o.id = :organization_id',
  ],
  ['select a from t natural join u'],
  ['select a from t join u on t.day between u.valid_from and u.valid_to'],
  ['select a from t join u on u_id = code'],
  ['select a from t cross join (select json_arrayagg(x order by id) as all from u) as s'],
  ['select a from t cross join (values (1)) as v (n)'],
  ['select a from t cross join (select :period_start::date as day) as v'],
  [
    "with months as (select generate_series(:period_start, :period_end - 1, interval '1 month') as month) select a from t cross join months",
  ],
  ['select a from t cross join (values (1), (2)) as v (n)'],
  ['select a from t cross join lateral unnest(t.tags) as tag'],
  [
    'select a from t left join lateral (select b from u where u.t_id = t.id order by b limit 1) as l on true',
  ],
  ['select a from t cross join lateral (select t.x * 2 as y) as l'],
  ['select a from t join settings on settings.organization_id = :organization_id'],
  ['select a from t join shop_settings as s on s.organization_id = t.organization_id'],
  ["select a from t cross join rates where rates.currency = 'USD' and rates.day = :as_of"],
  ['select a from t cross join shippers where shippers.shipper_id = :organization_id'],
  [
    'with f as (select kind, sum(x) as x from t group by kind) select i.x - e.x from f as i cross join f as e where i.kind = 1 and e.kind = 2',
  ],
  [
    'with r as (select t.x, row_number() over (order by t.x) as place from t) select a from u cross join r where r.place = 1',
  ],
  ['with f as (select true as is_total, 1 as x from t) select a from f left join u on f.is_total'],
  ['select a from days cross join (select count(*) as n from u) as s, (select 1 as one) as o'],
])
