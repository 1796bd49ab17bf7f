/**
 * Statements with expressions that fail on values which only another clinic has: each expression in each place where
 * PostgreSQL may evaluate it before it knows whose row it is.
 */

export const TENANCY = `
readings: via visits (visit_id = visit_id)
details: via readings (reading_id = reading_id)
octet_length(): shared
`

export function readingsOf(isPoison: boolean): string {
  const id = `3000 + 2 * row_number() over () + ${isPoison ? 1 : 0}`
  const values = isPoison
    ? String.raw`'n/a', 0, 2147483647, 9223372036854775807, 'infinity', '-infinity', '[%\', 'Nowhere/City', '{', array[0]`
    : `'42', 1 + n, 7, 7, date '2026-03-01' + n, timestamptz '2026-03-01 12:00+03', '4', 'Europe/Moscow', '{"a": 1}', array[n]`
  const visits = `visits where at_clinic = ${isPoison ? 2 : 1}`
  return `
insert into readings select ${id}, visit_id, ${values} from generate_series(1, ${isPoison ? 40 : 3}) as n, ${visits};
insert into details select reading_id, reading_id, num from readings where txt ${isPoison ? '=' : '<>'} 'n/a';
${isPoison ? POISON : ''}`
}

const POISON = String.raw`
update visits set fee_cents = 9223372036854775807, started_at = 'infinity' where at_clinic = 2;
update visit_lines set quantity = 0 where quantity >= 200;
update line_notes set note = '[%\\' where note like '%2';
update doses set dose = 2147483647 where dose >= 20;
update bill_lines set cents = 9223372036854775807 where issued_by = 2;
update lab.results set value = 'NaN' where value >= 2000;
update events set what = '[%\\', day = 'infinity' where clinic_no = 2;
`

/** On a row `r` of readings; true for own rows. */
export const EXPRESSIONS = [
  `r.txt::int > 0`,
  `1 / r.num >= 0`,
  `r.txt ~ r.pattern`,
  `r.txt !~ r.pattern is not null`,
  String.raw`r.txt like r.pattern || '%'`,
  `r.js::jsonb is not null`,
  `(r.at at time zone r.zone) is not null`,
  `r.big + 1 > 0`,
  `r.huge * 2 > 0`,
  `- r.huge - 2 < 0`,
  `r.day - date '2000-01-01' > 0`,
  `r.day + interval '1 day' > '2000-01-01' and r.day + r.huge > '2000-01-01'`,
  `make_date(2020, least(r.num, 12), 1) is not null`,
  `ln(r.num) >= 0`,
  `substring(r.txt, 1, r.num - 1) is not null`,
  `chr(r.num) is not null`,
  `decode(r.txt, 'hex') is not null`,
  `format(r.pattern) is not null`,
  `r.big::int > 0`,
  `extract(epoch from r.at)::int > 0`,
  `10 % r.list[1] >= 0`,
  `to_timestamp(r.txt, 'YYYY') is not null`,
  `r.num::small > 0`,
  `power(r.num, -1) > 0`,
  `r.txt similar to r.pattern || '_'`,
  `regexp_replace(r.txt, r.pattern, '') is not null`,
  `r.txt in ('41', '42') and cast(r.txt as numeric) > 0`,
  `split_part(r.txt, ',', r.num) is not null`,
] as const

const OF = 'visits as v join readings as r on r.visit_id = v.visit_id'

/** By place: a statement on `<of>` with an expression `<e>` that is true for all own rows. */
const STATEMENTS = `
  where: select r.reading_id from <of> where <e>
  where of the child alone: select count(*) from readings as r where <e>
  where of a grandchild: select x.detail_id from details as x join readings as r on x.reading_id = r.reading_id where <e>
  on of an inner join: select r.reading_id from <of> and <e>
  on of a left join: select v.visit_id, r.reading_id from visits as v left join readings as r on r.visit_id = v.visit_id and <e>
  where of a left join: select v.visit_id, r.reading_id from visits as v left join readings as r on r.visit_id = v.visit_id where (<e>) is not false
  on of a join of children: select x.detail_id from details as x join readings as r on x.reading_id = r.reading_id and <e>
  on of a full join: select d.drug_id, s.b from drugs as d full join (select <e> as b, r.num from <of>) as s on s.num = d.drug_id
  select list of a sub-query: select s.reading_id from (select r.reading_id, <e> as b from <of>) as s where s.b
  select list of an outer-joined sub-query: select d.drug_id, s.b from drugs as d left join (select r.num, <e> as b from readings as r) as s on s.num = d.drug_id
  argument of a function in from: select r.reading_id, g.n from <of> cross join lateral generate_series(1, (<e>)::int) as g (n)
  lateral sub-query: select r.reading_id from <of>, lateral (select <e> as b) as s where s.b
  lateral values: select r.reading_id from <of>, lateral (values (<e>)) as s (b) where s.b
  lateral outer join: select v.visit_id, s.b from visits as v left join lateral (select <e> as b from readings as r where r.visit_id = v.visit_id) as s on true
  lateral aggregate: select r.reading_id from <of>, lateral (select bool_and(d.drug_id > 0 and <e>) as b from drugs as d) as s where s.b
  correlated aggregate: select r.reading_id from <of> where (select bool_and(d.drug_id > 0 and <e>) from drugs as d)
  group by: select count(*) from <of> group by <e>
  grouping sets: select count(*) from <of> group by grouping sets ((<e>), ())
  having: select r.reading_id from <of> group by r.reading_id, r.txt, r.num, r.huge, r.big, r.day, r.at, r.pattern, r.zone, r.js, r.list having <e>
  having with an aggregate: select v.visit_id from <of> group by v.visit_id having bool_and(<e>)
  order by: select r.reading_id from <of> order by <e>, r.reading_id limit 3
  order by of an output: select <e> as b, r.reading_id from <of> order by b, 2 limit 3
  distinct: select distinct <e> as b from <of>
  distinct on: select distinct on (<e>) r.reading_id from <of> order by <e>, r.reading_id
  partition of a window: select r.reading_id, count(*) over (partition by <e>) from <of>
  order of a window: select r.reading_id, rank() over w from <of> window w as (order by <e>)
  union: select <e> as b from <of> union select true
  union all in a sub-query: select count(*) from (select <e> as b from <of> union all select <e> from readings as r) as s where s.b
  intersect: select <e> as b from <of> intersect select true
  filter: select count(*) filter (where <e>) from <of>
  argument of an aggregate: select count(<e>), bool_and(<e>) from <of>
  argument of an aggregate of groups: select v.visit_id, bool_or(<e>) from <of> group by v.visit_id
  order of an aggregate: select string_agg(r.txt, ',' order by <e>, r.reading_id) from <of>
  distinct aggregate: select count(distinct <e>) from <of>
  top select list: select r.reading_id, <e> as b from <of>
  exists: select d.drug_id from drugs as d where exists (select from <of> where r.num = d.drug_id + 1 and <e>)
  not exists: select d.drug_id from drugs as d where not exists (select from <of> where r.num = d.drug_id + 1 and not (<e>))
  scalar sub-query: select (select count(*) from <of> where <e>) from drugs
  correlated sub-query: select v.visit_id, (select count(*) from readings as r where r.visit_id = v.visit_id and <e>) from visits as v
  in (select ...): select v.visit_id from visits as v where v.visit_id in (select r.visit_id from readings as r where <e>)
  cte: with own as (select r.reading_id, <e> as b from <of>) select a.reading_id from own as a join own as b on b.reading_id = a.reading_id where a.b
  materialized cte: with own as materialized (select r.reading_id from <of> where <e>) table own
  recursive cte: with recursive t as (select r.reading_id, 1 as n from <of> where <e> union all select r.reading_id, n + 1 from t join readings as r on r.reading_id = t.reading_id + 2 and <e> where n < 3) select reading_id, n from t
  case: select r.reading_id from <of> where case when r.num >= 0 then <e> else true end
  or: select r.reading_id from <of> where r.num < 0 or <e>
  coalesce: select r.reading_id from <of> where coalesce(nullif(<e>, false), false)
  in: select r.reading_id from <of> where true in (false, <e>)
  row: select r.reading_id from <of> where (r.num > 0, <e>) = (true, true)
  array: select r.reading_id from <of> where true = any (array[false, <e>])
  limit: select v.visit_id from visits as v order by 1 limit (select count(*) from readings as r where <e>)`

export const PLACES: ReadonlyArray<readonly [place: string, statement: (e: string) => string]> =
  linesOf(STATEMENTS).map(line => {
    const [place = '', text = ''] = line.split(/: (.*)/)
    return [place, e => text.replaceAll('<e>', () => e)]
  })

const PARALLEL =
  'set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0; set min_parallel_index_scan_size = 0;'

/** Of sessions: they change the order in which PostgreSQL evaluates expressions. */
export const SETTINGS: Readonly<Record<string, string>> = {
  usual: '',
  'no indexes': 'set enable_indexscan = off; set enable_bitmapscan = off',
  'nested loops':
    'set enable_hashjoin = off; set enable_mergejoin = off; set enable_material = off',
  'merge joins': 'set enable_hashjoin = off; set enable_nestloop = off; set enable_hashagg = off',
  'joins as written': 'set join_collapse_limit = 1; set from_collapse_limit = 1',
  parallel: PARALLEL,
  'parallel merge joins': `${PARALLEL} set enable_hashjoin = off; set enable_nestloop = off; set enable_hashagg = off`,
}

/** On tables of organizations, at the price of the gateway's own condition, or less. */
export const AT_ITS_PRICE = [
  { text: `select day from events as e where 'x' !~ e.what` },
  { text: `select day from events as e where 'x' !~ e.what and e.day is not null` },
  { text: `select e.day from events as e join drugs as d on 'x' !~ e.what` },
  { text: `select count(*) from events as e group by 'x' !~ e.what` },
] as const

/** Statements, and what each is fenced for: nothing, if nothing in it may fail where rows of others are. */
const FENCED = String.raw`
  select r.txt::int from <of> where r.num > 3 and r.txt like '4%' and lower(r.txt) in ('a', '42') => nothing
  select r.txt::int from <of> order by txt => the cast to int4
  select r.num + 1 as a, r.txt::int as b from <of> order by b => the cast to int4
  select r.num + 1 as a, r.txt::int as b from <of> group by r.num, 2 => the cast to int4
  select r.txt::int as b, r.num from <of> order by r.num => nothing
  select sum(1 / r.num), avg(r.num) / count(*) from <of> having sum(r.num) / count(*) > 0 => nothing
  select sum(distinct 1 / r.num) from <of> => the operator /
  select v.visit_id from <of> where double_of(r.big) > 0 => double_of()
  select v.visit_id from <of> where octet_length(r.txt) > 0 => octet_length()
  select rank() over (order by 1 / r.num) from <of> => the operator /
  select v.visit_id from <of> where r.day >= date '2026-03-01' - 7 => nothing
  select v.visit_id from <of> where r.day - 7 >= date '2026-03-01' => the operator -
  select v.visit_id, (select sum(r.num) from readings as r where r.visit_id = v.visit_id) from visits as v => nothing
  select v.visit_id from visits as v where (select r.num from readings as r where r.visit_id = v.visit_id) > 0 => a subquery in an expression
  select v.visit_id from visits as v where (select coalesce(sum(r.num), 0) from readings as r where r.visit_id = v.visit_id) > 0 => nothing
  select v.visit_id from visits as v where (select coalesce(sum(v.patient_id), 0) from readings as r where r.visit_id = v.visit_id) > 0 => sum() of a column that may be another query's
  select v.visit_id from visits as v where (select coalesce(r.num, (select count(*) from drugs)) from readings as r where r.visit_id = v.visit_id) > 0 => a subquery in an expression
  select r.txt from <of> where r.txt like '4\\' => the operator ~~
  select r.txt from <of> where (r.list)[1] > 0 => an expression of the kind A_Indirection
  select 1 / fee_cents from visits order by 1 => nothing
  select count(*) from <of> group by extract(month from r.day) => nothing
  select count(*) from <of> group by extract(hour from r.at) => extract()
  select r.txt from <of> where 1 / (select count(*) from drugs) = 0 => the operator /
  select r.txt from <of> where r.num = (select sum(x.num) from details as x group by x.reading_id) => a subquery in an expression
  select r.txt from <of> where case when r.num = 0 then to_date('n/a', 'YYYY') end is null => to_date()
  select r.txt from <of> where r.num <> 0 or format('%') is null => format()
  select r.txt from <of> where r.big <> 5::oid => the cast to oid
  select r.txt from <of> where r.at >= date_trunc('month', :now) - interval '1 month' => nothing
  select r.txt from <of> where exists (select from nullif(r.txt, '') as s where s.int4 > 0) => a function in from
  select r.txt from <of> join generate_series(:period_start, :period_end, interval '1 day') as g (day) on g.day = r.at => nothing
  select r.txt from <of> where r.num = any (array[1, 2]) => nothing
  select r.txt from <of> where array[r.list, array[1, 2]] is null => an expression of the kind A_ArrayExpr
  select v.visit_id from <of> where r.list = array(select list from readings) => a subquery in an expression
  select s.n from <of>, lateral (select 1 as n limit r.num) as s => a computed limit
  select s.n from <of>, lateral (select count(*) over (order by d.drug_id rows r.num preceding) as n from drugs as d) as s => a computed frame
  select v.visit_id from <of> where (select sum(r.num) from drugs) > 0 => sum() of a column that may be another query's
  select v.visit_id from visits as v where (select sum(num) from readings as r where r.visit_id = v.visit_id) > 0 => sum() of a column that may be another query's`

export const FENCES = linesOf(FENCED).map(
  line => line.split(' => ') as [text: string, what: string],
)

function linesOf(table: string): string[] {
  return table
    .split('\n')
    .slice(1)
    .map(line => line.trim().replaceAll('<of>', OF))
}
