-- Headed by what each is fenced for: nothing, if nothing in it may fail where rows of others are.

-- nothing
select r.txt::int from <of> where r.num > 3 and r.txt like '4%' and lower(r.txt) in ('a', '42');
-- the cast to int4
select r.txt::int from <of> order by txt;
select r.num + 1 as a, r.txt::int as b from <of> order by b;
select r.num + 1 as a, r.txt::int as b from <of> group by r.num, 2;
-- nothing
select r.txt::int as b, r.num from <of> order by r.num;
select sum(1 / r.num), avg(r.num) / count(*) from <of> having sum(r.num) / count(*) > 0;
-- the operator /
select sum(distinct 1 / r.num) from <of>;
-- double_of()
select v.visit_id from <of> where double_of(r.big) > 0;
-- octet_length()
select v.visit_id from <of> where octet_length(r.txt) > 0;
-- the operator /
select rank() over (order by 1 / r.num) from <of>;
-- nothing
select v.visit_id from <of> where r.day >= date '2026-03-01' - 7;
-- the operator -
select v.visit_id from <of> where r.day - 7 >= date '2026-03-01';
-- nothing
select v.visit_id, (select sum(r.num) from readings as r where r.visit_id = v.visit_id) from visits as v;
-- a subquery in an expression
select v.visit_id from visits as v where (select r.num from readings as r where r.visit_id = v.visit_id) > 0;
-- nothing
select v.visit_id from visits as v where (select coalesce(sum(r.num), 0) from readings as r where r.visit_id = v.visit_id) > 0;
-- sum() of a column that may be another query's
select v.visit_id from visits as v where (select coalesce(sum(v.patient_id), 0) from readings as r where r.visit_id = v.visit_id) > 0;
-- a subquery in an expression
select v.visit_id from visits as v where (select coalesce(r.num, (select count(*) from drugs)) from readings as r where r.visit_id = v.visit_id) > 0;
-- the operator ~~
select r.txt from <of> where r.txt like '4\\';
-- an expression of the kind A_Indirection
select r.txt from <of> where (r.list)[1] > 0;
-- nothing
select 1 / fee_cents from visits order by 1;
select count(*) from <of> group by extract(month from r.day);
-- extract()
select count(*) from <of> group by extract(hour from r.at);
-- the operator /
select r.txt from <of> where 1 / (select count(*) from drugs) = 0;
-- a subquery in an expression
select r.txt from <of> where r.num = (select sum(x.num) from details as x group by x.reading_id);
-- to_date()
select r.txt from <of> where case when r.num = 0 then to_date('n/a', 'YYYY') end is null;
-- format()
select r.txt from <of> where r.num <> 0 or format('%') is null;
-- the cast to oid
select r.txt from <of> where r.big <> 5::oid;
-- nothing
select r.txt from <of> where r.at >= date_trunc('month', :now) - interval '1 month';
-- a function in from
select r.txt from <of> where exists (select from nullif(r.txt, '') as s where s.int4 > 0);
-- nothing
select r.txt from <of> join generate_series(:period_start, :period_end, interval '1 day') as g (day) on g.day = r.at;
select r.txt from <of> where r.num = any (array[1, 2]);
-- an expression of the kind A_ArrayExpr
select r.txt from <of> where array[r.list, array[1, 2]] is null;
-- a subquery in an expression
select v.visit_id from <of> where r.list = array(select list from readings);
-- a computed limit
select s.n from <of>, lateral (select 1 as n limit r.num) as s;
-- a computed frame
select s.n from <of>, lateral (select count(*) over (order by d.drug_id rows r.num preceding) as n from drugs as d) as s;
-- sum() of a column that may be another query's
select v.visit_id from <of> where (select sum(r.num) from drugs) > 0;
select v.visit_id from visits as v where (select sum(num) from readings as r where r.visit_id = v.visit_id) > 0;
