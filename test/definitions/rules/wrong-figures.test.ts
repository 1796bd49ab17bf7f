import { findingsTable } from '../../harness/findings-table.ts'
import { faultsIn } from './faults.ts'

describe('casts that lose kopecks', () => {
  findingsTable(
    `
right
  select a.real, float, "double", round(a.real::numeric, 2), a::"real", a::shop.float8 from a
  select extract(epoch from b - a)::float8 / 3600, date_part('day', c)::real from a
1: a cast to float8 loses kopecks, expected numeric or bigint
  select a::float8
1: a cast to double precision loses kopecks
1: a cast to pg_catalog.float4 loses kopecks
  select a::double precision, b::pg_catalog.float4
2: a cast to real loses kopecks
2: a cast to float loses kopecks
  select cast(a as
    real), a::FLOAT(10)
1: a cast to float8 loses kopecks
1: a cast to pg_catalog.float4 loses kopecks
  select float8(a), b::text, pg_catalog.float4(c), shop.float8(d), float8(extract(epoch from e))
1: a cast to float loses kopecks
1: a cast to float8 loses kopecks
  select float '1.5', '{1}'::float8[]
`,
    faultsIn,
  )
})

describe('between with a period', () => {
  findingsTable(
    `
right
  select 1 from t where a between b and c and d >= :period_start
  select case when a between 1 and 2 then :period_start end
  select 1 where a between 1 and (select max(b) from t where b < :period_end)
  select 1 where day between :period_start and :period_end - 1
  select 1 where day between :period_start and (:period_end - interval '1 day')::date
  select 1 where day between :period_start and :as_of
  select 1 where day between symmetric :period_end - 1 and :period_start
  select 1 where a between :today and :as_of
  select 1 where :period_start between since and until or :period_end::date - 1 between since and until
  select 1 where day between :period_start - 7 and :period_start - 1
  select 1 where day between :period_start and least(:period_end - 1, :today)
  select 1 where day - :period_start between 0 and 6 and due between :period_end and :period_end + 30
  select 1 where day between since and coalesce(until, :period_end)
1: between takes in the day after the period
  select 1 where day between :period_start and coalesce(until, :period_end)
  select 1 where day between since and :period_end
  select 1 where day not between :period_start and :period_end
  select 1 where day between symmetric :period_start and :period_end::date
  select 1 where (:period_end)::date between since and until
  select 1 where day between (:period_start - 1) and least(until, :period_end)
  select 1 where day between :period_start and :period_start + interval '1 month'
  select 1 where at between :period_start_at and :period_end_at
`,
    faultsIn,
  )
})

describe('system columns', () => {
  findingsTable(
    `
right
  select 'ctid' as a, xmin_at from t
2: ctid depends on where a row is stored, expected a column of the product's
  select a from t
    order by t.ctid
1: xmin depends on where a row is stored
1: tableoid depends on where a row is stored
  select max(xmin::text) from t where (select min(u."tableoid") from u) is null
`,
    faultsIn,
  )
})
