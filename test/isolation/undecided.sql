-- They would return the same rows without the gateway's condition, but that is not decided.

select * from visits as v join visit_lines as l using (visit_id);
select * from visits natural join visit_lines;
select fee_cents from visits, visit_lines as l (id) where visit_id = id;
select * from visits as v, visit_lines as l where l.visit_id is not distinct from v.visit_id;
select * from visits as v, visit_lines as l where l.visit_id = v.visit_id and false or l.visit_id = v.visit_id;
select * from visits as v, visit_lines as l where l.visit_id::bigint = v.visit_id;
select * from visits as v right join (select 1) as one on true left join lateral (select l.* from visit_lines as l where l.visit_id = v.visit_id) as s on true;
select * from visits as v where exists (select from visit_lines as l where l.visit_id = v.visit_id);
select * from visits as v left join (select visit_id, sum(quantity) from visit_lines group by visit_id) as l on l.visit_id = v.visit_id;
select * from visit_lines as l left join visits as v on l.visit_id = v.visit_id where v.visit_id > 0;
select v.visit_id from visits as v, visit_lines as l group by v.visit_id, l.visit_id having l.visit_id = v.visit_id;
select * from visits as v join line_notes as n on n.visit_id = v.visit_id;
