-- They return what they would return if there were no other clinic.

-- conditions that let other clinics in
select * from visits;
table visits;
select * from visits where (:organization_id) is not null;
select * from visits where at_clinic = :organization_id or true;
select * from visits where at_clinic <> :organization_id or patient_id = 1;
select * from visits where at_clinic in (:organization_id, 1, 2);
select * from visits where at_clinic = 1 or at_clinic = '2';
select * from visits where at_clinic between :organization_id and 9;
select * from visits where coalesce(at_clinic = :organization_id, true) is not false;
select * from visits where at_clinic::text like (:organization_id)::text || '%' or 'visits'::regclass is not null;
select * from visits /* where at_clinic = :organization_id */ -- and true
;
select at_clinic, count(*), :period_start from visits group by at_clinic having sum(fee_cents) > 0;
-- joins
select * from visits join samples on samples.visit_id = visits.visit_id;
select * from visits, marks where mark_id > 0;
select * from visits cross join marks as m;
select * from visits left join marks on marks.clinic_no = :organization_id and marks.mark = visits.visit_id;
select * from marks right join visits on marks.clinic_no <> visits.at_clinic;
select * from visits full join marks on marks.mark_id = visits.visit_id - 2 where marks.clinic_no is null;
select * from visits natural join visit_lines;
select * from visits natural full join lab_visits;
select * from visits as v (id, clinic_no) join marks using (clinic_no);
select * from (visits join visit_lines using (visit_id)) as j;
select * from clinics left join (visits join visit_lines using (visit_id)) on visits.at_clinic = clinics.clinic_no;
select * from visits as a join visits as b on b.patient_id = a.patient_id;
select * from visits join marks on marks.clinic_no = visits.at_clinic or marks.mark > 0;
select * from referrals left join clinics on clinics.clinic_no = referrals.to_clinic;
select * from generate_series(1, 3) as n cross join visits;
select * from visits, rows from (generate_series(1, 2), unnest(array[visits.fee_cents])) as r;
select * from visits, unnest(array[visit_id], array[fee_cents]) as u;
select * from (values (:organization_id), (1), (2)) as me (id) join visits on visits.at_clinic = me.id;
-- children
select * from visit_lines;
select * from line_notes;
select * from doses;
select * from bill_lines;
select * from results;
select * from line_list;
select * from visits cross join visit_lines;
select * from visit_lines left join visits on visits.visit_id = visit_lines.visit_id and visits.fee_cents < 0;
select * from bills join bill_lines using (bill_no);
select * from doses join line_notes using (note_id) join visit_lines using (visit_id, line_no) join visits using (visit_id);
select * from doses left join results on results.sample_id = doses.dose_id;
select * from line_notes where visit_id not in (select visit_id from visits where fee_cents < 0);
select * from visit_lines where exists (select from visits where visit_id = visit_id);
select * from visit_lines where exists (select count(*) from visits as v where v.visit_id = visit_lines.visit_id group by rollup (v.fee_cents));
select (select count(*) from doses where dose > drug_id) from drugs;
-- sub-selects
select * from visits where fee_cents > (select avg(fee_cents) from visits);
select * from drugs where drug_id < (select count(*) from bill_lines) and exists (table visit_lines);
select * from visits where (at_clinic, visit_id) in (select clinic_no, visit_id from samples);
select * from visits where fee_cents >= all (select cents from bills) or fee_cents = any (array(select cents from bills));
select count(*) filter (where exists (select from visit_lines where visit_id <> v.visit_id)) from visits as v;
select count(*) from drugs having count(*) < (select count(*) from marks);
select * from drugs order by (select count(*) from marks where mark > drug_id), drug_id limit (select count(*) from clinics) offset (select count(*) - 1 from clinics);
select array(select fee_cents from visits order by 1), case when exists (table doses) then (select sum(dose) from doses) end from drugs;
select * from drugs, lateral (select * from marks where mark > drug_id) as one, lateral (select count(*) from doses where dose > one.mark) as two;
select * from (select * from (select v.* from visits as v) as one) as two;
select sum(fee_cents) over (partition by (select min(mark) from marks)), rank() over w from visits window w as (order by fee_cents desc, (select max(fee_cents) from visits));
select distinct on ((select count(*) from marks)) * from visits order by (select count(*) from marks), fee_cents desc;
select * from json_table((select json_agg(v) from visits as v), '$[*]' columns (fee_cents int)) as j;
select * from xmltable('/a/b' passing (select xmlelement(name a, xmlagg(xmlelement(name b, fee_cents))) from visits) columns x int path '.') as j;
-- set operations
select visit_id from visits union all select mark_id from marks;
select 1 from drugs union select fee_cents from visits intersect (select cents from bills except select visit_id from lab_visits);
(select fee_cents from visits order by 1 desc limit 1) union all (select mark from marks) order by 1;
values (1, 2), ((select sum(fee_cents) from visits), (select count(*) from doses));
-- CTEs and their scopes
with own as (select * from visits) select * from own join visit_lines using (visit_id);
with own as materialized (table visits), all_of as (select sum(fee_cents) as fees from own) table all_of;
with one as (with two as (with three as (table visits) table three) table two) table one;
with one as (select * from (with one as (select 1 as n) table one) as x cross join visits) table one;
with a as (select 1 as n), b as (with a as (table visits) select * from a) select * from a, b;
with recursive a as (select * from own), own as (select * from visits) select * from a;
with recursive tree as (select ward_id from wards where above is null union all select w.ward_id from wards as w join tree on tree.ward_id = w.above) table tree;
with recursive tree as (select ward_id, above from wards union select w.ward_id, w.above from wards as w, tree where w.above >= tree.ward_id) search breadth first by ward_id set place cycle ward_id set is_cycle using path table tree;
with recursive visits_of as (table visits) select * from visits_of;
select * from (with x as (table visits) select * from x union all table x) as y union all (with x as (table visits) table x);
(with x as (table visits) select * from x);
(with x as (table visits) select fee_cents from x) order by (select count(*) from marks), 1;
(with x as (table visits) select fee_cents from x) union all (with x as (table marks) select mark from x);
WITH RECURSIVE x AS (TABLE visits) SELECT * FROM x;
with/* a comment with recursive */x as (table visits) table x;
/* before */ with -- visits
 x as (table visits) table x;
with visits_2 as (table visits), "VISITS" as (table marks) select * from visits_2, "VISITS";
select (with x as (table visits) select count(*) from x), (select count(*) from (table marks) as x) from drugs;
-- whole rows and names
select visits from visits;
select row_to_json(visits), to_jsonb(v) from visits as v join visits using (visit_id);
select count(visits), count(distinct visits.*), array_agg(visits order by visit_id) from visits;
select visits.*, (array_agg(visits) over ())[1] from visits;
select (visits).fee_cents, (one.v).* from (select visits, visits as v from visits) as one;
select * from U&"\0076isits", VISITS as "Visits";
select * from "Visit ""Fees"" of: all" as f where f."select" > 0;
select "Visit ""Fees"" of: all"."Clinic No" from "Visit ""Fees"" of: all";
select clinics.title as visits from clinics;
select * from drugs as visits, visits as drugs;
select * from tenants_names;
-- kinds of tables
select fee from visits;
select * from events;
select * from events_all;
select * from marks;
select * from old_marks;
select * from visit_fees;
select * from daily_visits;
select * from samples join lab_visits using (visit_id);
select * from visits join drugs on drugs.drug_id = visits.patient_id join drug_prices using (drug_id);
select * from marks, json_populate_record(null::visits, '{}');
-- functions of the product that are declared
select double_of(fee_cents) from visits;
-- at the price of the gateway's own condition, or less
select day from events as e where 'x' !~ e.what;
select day from events as e where 'x' !~ e.what and e.day is not null;
select e.day from events as e join drugs as d on 'x' !~ e.what;
select count(*) from events as e group by 'x' !~ e.what;
