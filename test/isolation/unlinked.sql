-- Without the gateway's condition they return rows of the other clinic.

select * from visit_lines;
-- the side of an outer join of which all rows are returned
select * from visit_lines as l left join visits as v on l.visit_id = v.visit_id;
select * from (visit_lines as l cross join drugs as d) left join visits as v on l.visit_id = v.visit_id;
select * from visits as v right join visit_lines as l on l.visit_id = v.visit_id;
select * from visits as v full join visit_lines as l on l.visit_id = v.visit_id;
select * from visit_lines as l left join visits as v using (visit_id);
select * from visit_lines natural left join visits;
-- conditions that are no equality that must hold
select * from visits as v join visit_lines as l on l.visit_id = v.visit_id or l.quantity > 0;
select * from visits as v join visit_lines as l on not l.visit_id = v.visit_id;
select * from visits as v join visit_lines as l on l.visit_id <> v.visit_id;
select * from visits as v left join visit_lines as l on l.visit_id = v.visit_id + 1;
select * from visits as v join visit_lines as l on l.visit_id in (v.visit_id, v.visit_id + 1);
select * from visits as v join visit_lines as l on l.visit_id is distinct from v.visit_id;
select * from visits as v join visit_lines as l on l.visit_id between v.visit_id and v.visit_id + 1;
select * from visits as v, visit_lines as l where (l.visit_id = v.visit_id) is not null;
select * from visits as v, visit_lines as l where case when l.line_no = 1 then l.visit_id = v.visit_id else true end;
select count(*) filter (where l.visit_id = v.visit_id), count(*) from visits as v, visit_lines as l;
select count(*), l.visit_id = v.visit_id from visits as v, visit_lines as l group by l.visit_id = v.visit_id;
-- other columns and other tables
select * from visits as v join visit_lines as l on l.line_no = v.at_clinic;
select * from visits as v join visit_lines as l on l.visit_id = l.visit_id;
select * from bills as b join bill_lines as l on l.bill_no = b.bill_no;
select * from bills as b join bill_lines as l on l.bill_no = b.bill_no and l.line_no = b.clinic_no or l.bill_no = b.clinic_no;
select * from slots as a cross join slots as b join slot_notes as n on n.room = a.room and n.hour = b.hour;
select * from slots as a join slot_notes as n on n.room = a.room left join slots as b on n.hour = b.hour;
select * from bills as b (bill_no, clinic_no) join bill_lines as l on l.bill_no = b.bill_no and l.issued_by = b.clinic_no;
select * from bills as b join bill_lines as l (bill_no, issued_by) on l.bill_no = b.bill_no and l.issued_by = b.clinic_no;
select * from visits cross join (select generate_series(1, 30) as visit_id) as v join visit_lines as l on l.visit_id = v.visit_id;
with v as (select generate_series(1, 30) as visit_id) select * from v as visits join visit_lines as l on l.visit_id = visits.visit_id;
select * from marks as visits join visit_lines as l on l.visit_id = visits.mark;
select * from visits as v join visit_lines as l on l.visit_id = v.visit_id join line_notes as n on n.line_no = l.line_no;
select * from visits as v, line_notes as n, visit_lines as l where n.line_no = l.line_no and l.visit_id = v.visit_id;
-- a second use
select * from visits as v join visit_lines as l on l.visit_id = v.visit_id cross join visit_lines as other;
select * from visits as v join visit_lines as l on l.visit_id = v.visit_id join visit_lines as other on other.line_no = l.line_no;
select v.visit_id, (select count(*) from visit_lines) from visits as v join visit_lines as l on l.visit_id = v.visit_id;
with other as (select * from visit_lines) select other.* from other, visits as v join visit_lines as l on l.visit_id = v.visit_id;
select * from visits as v join visit_lines as l on l.visit_id = v.visit_id where exists (select from visit_lines as other where other.visit_id > v.visit_id + 12);
select l.quantity from visits as v join visit_lines as l on l.visit_id = v.visit_id union select quantity from visit_lines;
select l.quantity from visits as v join visit_lines as l on l.visit_id = v.visit_id union all (select quantity from visit_lines except select 0);
select l.quantity from visits as v join visit_lines as l on l.visit_id = v.visit_id order by l.quantity limit (select count(*) / 2 from visit_lines);
with recursive t as (select l.visit_id, 1 as n from visits as v join visit_lines as l on l.visit_id = v.visit_id union all select l.visit_id, n + 1 from t join visit_lines as l on l.visit_id = t.visit_id + 1 where t.n < 3) table t;
-- another level
select (select sum(quantity) from visit_lines as l where l.visit_id <> v.visit_id) from visits as v;
select * from visits as v, lateral (select * from visit_lines as l where l.visit_id >= v.visit_id) as s;
select * from visit_lines as l left join lateral (select v.visit_id from visits as v where l.visit_id = v.visit_id) as s on true;
select * from visit_lines as l where (select count(*) from visits as v where l.visit_id = v.visit_id) >= 0;
select * from visit_lines as l where not exists (select from visits as v where l.visit_id = v.visit_id) or l.quantity > 0;
-- names that an alias of a join hides, or that the condition of a join does not see
select (select count(*) from (visits as v cross join visit_lines as l) as j where l.visit_id = v.visit_id) from visits as v join visit_lines as l on l.visit_id = v.visit_id;
select (select count(*) from visits as v, visit_lines as l join drugs as d on l.visit_id = v.visit_id) from (select generate_series(1, 30) as visit_id) as v;
select (select count(*) from visit_lines as l, visits as v join drugs as d on l.visit_id = v.visit_id) from visits as v join visit_lines as l on l.visit_id = v.visit_id;
