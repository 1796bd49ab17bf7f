-- Without the gateway's condition they return the same rows.

select * from visits as v, visit_lines as l where l.visit_id = v.visit_id;
select * from visits, visit_lines where quantity > 0 and (fee_cents > 0 and visits.visit_id = visit_lines.visit_id);
select * from visits as "V" join visit_lines as "L" on "L".VISIT_ID = "V".visit_id and "L".quantity > 0;
select * from visits as v left join visit_lines as l on l.visit_id = v.visit_id and l.quantity > 101;
select * from drugs as d left join visits as v on v.patient_id = d.drug_id left join visit_lines as l on l.visit_id = v.visit_id;
select * from drugs as d left join (visits as v join visit_lines as l on l.visit_id = v.visit_id) as j on j.drug_id = d.drug_id;
select * from marks as m full join (visits as v join visit_lines as l on l.visit_id = v.visit_id) on m.mark_id = v.visit_id;
select * from drugs as d full join visit_lines as l on l.drug_id = d.drug_id full join visits as v on v.visit_id = l.visit_id where l.visit_id = v.visit_id;
select * from visits as v right join (visit_lines as l cross join drugs as d) on v.patient_id = d.drug_id where l.visit_id = v.visit_id;
select * from visits as v join visit_lines as l using (visit_id) where l.visit_id = v.visit_id;
select * from visits as v left join (visit_lines as l left join drugs as d on d.drug_id = l.drug_id and d.drug_id = 1) on l.visit_id = v.visit_id;
select * from bills as b join bill_lines as l on l.bill_no = b.bill_no and b.clinic_no = l.issued_by;
select * from slots as s left join slot_notes as n on n.room = s.room and n.hour = s.hour;
select * from samples left join results on results.sample_id = samples.sample_id;
select * from visits as v join visit_lines as l on l.visit_id = v.visit_id left join line_notes as n on n.visit_id = l.visit_id and n.line_no = l.line_no left join doses as d on d.note_id = n.note_id;
select * from doses as d, line_notes as n, visit_lines as l, visits as v where d.note_id = n.note_id and n.visit_id = l.visit_id and n.line_no = l.line_no and l.visit_id = v.visit_id;
select * from visits as v join visit_lines as a on a.visit_id = v.visit_id join visit_lines as b on b.visit_id = v.visit_id and b.line_no > a.line_no;
select * from visits as v join visits as w on w.patient_id = v.patient_id join visit_lines as l on l.visit_id = w.visit_id;
with own as (select v.visit_id, l.quantity from visits as v join visit_lines as l on l.visit_id = v.visit_id) select * from own join visits on visits.visit_id = own.visit_id;
select (select sum(l.quantity) from visits as w join visit_lines as l on l.visit_id = w.visit_id where w.visit_id <= v.visit_id) from visits as v;
select * from visits as v, lateral (select sum(l.quantity) from visits as w, visit_lines as l where l.visit_id = w.visit_id and w.visit_id >= v.visit_id) as s;
select l.quantity from visits as v join visit_lines as l on l.visit_id = v.visit_id union all select l.line_no from visits as w, visit_lines as l where l.visit_id = w.visit_id;
with recursive t as (select l.visit_id, 1 as n from visits as v join visit_lines as l on l.visit_id = v.visit_id union select l.visit_id, 2 from t, visits as v join visit_lines as l on l.visit_id = v.visit_id where t.n = 1 and v.visit_id > t.visit_id) table t;
select count(distinct l), sum(l.quantity) filter (where l.line_no = 1) over (order by v.visit_id) from visits as v join visit_lines as l on l.visit_id = v.visit_id group by v.visit_id, l.quantity, l.line_no;
