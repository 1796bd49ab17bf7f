-- Where PostgreSQL may evaluate an expression <e>, true for own rows, before it knows whose row it is. <of> is visits
-- joined to readings as r. Headed by the place.

-- where
select r.reading_id from <of> where <e>;
-- where of the child alone
select count(*) from readings as r where <e>;
-- where of a grandchild
select x.detail_id from details as x join readings as r on x.reading_id = r.reading_id where <e>;
-- on of an inner join
select r.reading_id from <of> and <e>;
-- on of a left join
select v.visit_id, r.reading_id from visits as v left join readings as r on r.visit_id = v.visit_id and <e>;
-- where of a left join
select v.visit_id, r.reading_id from visits as v left join readings as r on r.visit_id = v.visit_id where (<e>) is not false;
-- on of a join of children
select x.detail_id from details as x join readings as r on x.reading_id = r.reading_id and <e>;
-- on of a full join
select d.drug_id, s.b from drugs as d full join (select <e> as b, r.num from <of>) as s on s.num = d.drug_id;
-- select list of a sub-query
select s.reading_id from (select r.reading_id, <e> as b from <of>) as s where s.b;
-- select list of an outer-joined sub-query
select d.drug_id, s.b from drugs as d left join (select r.num, <e> as b from readings as r) as s on s.num = d.drug_id;
-- argument of a function in from
select r.reading_id, g.n from <of> cross join lateral generate_series(1, (<e>)::int) as g (n);
-- lateral sub-query
select r.reading_id from <of>, lateral (select <e> as b) as s where s.b;
-- lateral values
select r.reading_id from <of>, lateral (values (<e>)) as s (b) where s.b;
-- lateral outer join
select v.visit_id, s.b from visits as v left join lateral (select <e> as b from readings as r where r.visit_id = v.visit_id) as s on true;
-- lateral aggregate
select r.reading_id from <of>, lateral (select bool_and(d.drug_id > 0 and <e>) as b from drugs as d) as s where s.b;
-- correlated aggregate
select r.reading_id from <of> where (select bool_and(d.drug_id > 0 and <e>) from drugs as d);
-- group by
select count(*) from <of> group by <e>;
-- grouping sets
select count(*) from <of> group by grouping sets ((<e>), ());
-- having
select r.reading_id from <of> group by r.reading_id, r.txt, r.num, r.huge, r.big, r.day, r.at, r.pattern, r.zone, r.js, r.list having <e>;
-- having with an aggregate
select v.visit_id from <of> group by v.visit_id having bool_and(<e>);
-- order by
select r.reading_id from <of> order by <e>, r.reading_id limit 3;
-- order by of an output
select <e> as b, r.reading_id from <of> order by b, 2 limit 3;
-- distinct
select distinct <e> as b from <of>;
-- distinct on
select distinct on (<e>) r.reading_id from <of> order by <e>, r.reading_id;
-- partition of a window
select r.reading_id, count(*) over (partition by <e>) from <of>;
-- order of a window
select r.reading_id, rank() over w from <of> window w as (order by <e>);
-- union
select <e> as b from <of> union select true;
-- union all in a sub-query
select count(*) from (select <e> as b from <of> union all select <e> from readings as r) as s where s.b;
-- intersect
select <e> as b from <of> intersect select true;
-- filter
select count(*) filter (where <e>) from <of>;
-- argument of an aggregate
select count(<e>), bool_and(<e>) from <of>;
-- argument of an aggregate of groups
select v.visit_id, bool_or(<e>) from <of> group by v.visit_id;
-- order of an aggregate
select string_agg(r.txt, ',' order by <e>, r.reading_id) from <of>;
-- distinct aggregate
select count(distinct <e>) from <of>;
-- top select list
select r.reading_id, <e> as b from <of>;
-- exists
select d.drug_id from drugs as d where exists (select from <of> where r.num = d.drug_id + 1 and <e>);
-- not exists
select d.drug_id from drugs as d where not exists (select from <of> where r.num = d.drug_id + 1 and not (<e>));
-- scalar sub-query
select (select count(*) from <of> where <e>) from drugs;
-- correlated sub-query
select v.visit_id, (select count(*) from readings as r where r.visit_id = v.visit_id and <e>) from visits as v;
-- in (select ...)
select v.visit_id from visits as v where v.visit_id in (select r.visit_id from readings as r where <e>);
-- cte
with own as (select r.reading_id, <e> as b from <of>) select a.reading_id from own as a join own as b on b.reading_id = a.reading_id where a.b;
-- materialized cte
with own as materialized (select r.reading_id from <of> where <e>) table own;
-- recursive cte
with recursive t as (select r.reading_id, 1 as n from <of> where <e> union all select r.reading_id, n + 1 from t join readings as r on r.reading_id = t.reading_id + 2 and <e> where n < 3) select reading_id, n from t;
-- case
select r.reading_id from <of> where case when r.num >= 0 then <e> else true end;
-- or
select r.reading_id from <of> where r.num < 0 or <e>;
-- coalesce
select r.reading_id from <of> where coalesce(nullif(<e>, false), false);
-- in
select r.reading_id from <of> where true in (false, <e>);
-- row
select r.reading_id from <of> where (r.num > 0, <e>) = (true, true);
-- array
select r.reading_id from <of> where true = any (array[false, <e>]);
-- limit
select v.visit_id from visits as v order by 1 limit (select count(*) from readings as r where <e>);
