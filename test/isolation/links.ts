/** Statements on children of the clinics, by whether they link each use of them to its parent. */

/** Rooms by the hour belong to alternating clinics: neither column of the key shows to which. */
export const SLOTS = `
create table slots (room integer, hour integer, clinic_no smallint not null, primary key (room, hour));
create table slot_notes (room integer, hour integer, note text not null, foreign key (room, hour) references slots);
`
export const SLOTS_TENANCY = `
slots: clinic_no
slot_notes: via slots (room = room, hour = hour)
`

export function slotsOf(clinic: number): string {
  const own = `from generate_series(1, 4) as room, generate_series(1, 4) as hour where (room + hour) % 2 = ${clinic - 1}`
  return `
insert into slots select room, hour, ${clinic} ${own};
insert into slot_notes select room, hour, 'note of ${clinic}' ${own};`
}

/** Without the gateway's condition they return the same rows. */
export const LINKED = [
  `select * from visits as v, visit_lines as l where l.visit_id = v.visit_id`,
  `select * from visits, visit_lines where quantity > 0 and (fee_cents > 0 and visits.visit_id = visit_lines.visit_id)`,
  `select * from visits as "V" join visit_lines as "L" on "L".VISIT_ID = "V".visit_id and "L".quantity > 0`,
  `select * from visits as v left join visit_lines as l on l.visit_id = v.visit_id and l.quantity > 101`,
  `select * from drugs as d left join visits as v on v.patient_id = d.drug_id left join visit_lines as l on l.visit_id = v.visit_id`,
  `select * from drugs as d left join (visits as v join visit_lines as l on l.visit_id = v.visit_id) as j on j.drug_id = d.drug_id`,
  `select * from marks as m full join (visits as v join visit_lines as l on l.visit_id = v.visit_id) on m.mark_id = v.visit_id`,
  `select * from drugs as d full join visit_lines as l on l.drug_id = d.drug_id full join visits as v on v.visit_id = l.visit_id where l.visit_id = v.visit_id`,
  `select * from visits as v right join (visit_lines as l cross join drugs as d) on v.patient_id = d.drug_id where l.visit_id = v.visit_id`,
  `select * from visits as v join visit_lines as l using (visit_id) where l.visit_id = v.visit_id`,
  `select * from visits as v left join (visit_lines as l left join drugs as d on d.drug_id = l.drug_id and d.drug_id = 1) on l.visit_id = v.visit_id`,
  `select * from bills as b join bill_lines as l on l.bill_no = b.bill_no and b.clinic_no = l.issued_by`,
  `select * from slots as s left join slot_notes as n on n.room = s.room and n.hour = s.hour`,
  `select * from samples left join results on results.sample_id = samples.sample_id`,
  `select * from visits as v join visit_lines as l on l.visit_id = v.visit_id left join line_notes as n on n.visit_id = l.visit_id and n.line_no = l.line_no left join doses as d on d.note_id = n.note_id`,
  `select * from doses as d, line_notes as n, visit_lines as l, visits as v where d.note_id = n.note_id and n.visit_id = l.visit_id and n.line_no = l.line_no and l.visit_id = v.visit_id`,
  `select * from visits as v join visit_lines as a on a.visit_id = v.visit_id join visit_lines as b on b.visit_id = v.visit_id and b.line_no > a.line_no`,
  `select * from visits as v join visits as w on w.patient_id = v.patient_id join visit_lines as l on l.visit_id = w.visit_id`,
  `with own as (select v.visit_id, l.quantity from visits as v join visit_lines as l on l.visit_id = v.visit_id) select * from own join visits on visits.visit_id = own.visit_id`,
  `select (select sum(l.quantity) from visits as w join visit_lines as l on l.visit_id = w.visit_id where w.visit_id <= v.visit_id) from visits as v`,
  `select * from visits as v, lateral (select sum(l.quantity) from visits as w, visit_lines as l where l.visit_id = w.visit_id and w.visit_id >= v.visit_id) as s`,
  `select l.quantity from visits as v join visit_lines as l on l.visit_id = v.visit_id union all select l.line_no from visits as w, visit_lines as l where l.visit_id = w.visit_id`,
  `with recursive t as (select l.visit_id, 1 as n from visits as v join visit_lines as l on l.visit_id = v.visit_id union select l.visit_id, 2 from t, visits as v join visit_lines as l on l.visit_id = v.visit_id where t.n = 1 and v.visit_id > t.visit_id) table t`,
  `select count(distinct l), sum(l.quantity) filter (where l.line_no = 1) over (order by v.visit_id) from visits as v join visit_lines as l on l.visit_id = v.visit_id group by v.visit_id, l.quantity, l.line_no`,
] as const

/** Without the gateway's condition they return rows of the other clinic. */
export const UNLINKED = [
  `select * from visit_lines`,
  // the side of an outer join of which all rows are returned
  `select * from visit_lines as l left join visits as v on l.visit_id = v.visit_id`,
  `select * from (visit_lines as l cross join drugs as d) left join visits as v on l.visit_id = v.visit_id`,
  `select * from visits as v right join visit_lines as l on l.visit_id = v.visit_id`,
  `select * from visits as v full join visit_lines as l on l.visit_id = v.visit_id`,
  `select * from visit_lines as l left join visits as v using (visit_id)`,
  `select * from visit_lines natural left join visits`,
  // conditions that are no equality that must hold
  `select * from visits as v join visit_lines as l on l.visit_id = v.visit_id or l.quantity > 0`,
  `select * from visits as v join visit_lines as l on not l.visit_id = v.visit_id`,
  `select * from visits as v join visit_lines as l on l.visit_id <> v.visit_id`,
  `select * from visits as v left join visit_lines as l on l.visit_id = v.visit_id + 1`,
  `select * from visits as v join visit_lines as l on l.visit_id in (v.visit_id, v.visit_id + 1)`,
  `select * from visits as v join visit_lines as l on l.visit_id is distinct from v.visit_id`,
  `select * from visits as v join visit_lines as l on l.visit_id between v.visit_id and v.visit_id + 1`,
  `select * from visits as v, visit_lines as l where (l.visit_id = v.visit_id) is not null`,
  `select * from visits as v, visit_lines as l where case when l.line_no = 1 then l.visit_id = v.visit_id else true end`,
  `select count(*) filter (where l.visit_id = v.visit_id), count(*) from visits as v, visit_lines as l`,
  `select count(*), l.visit_id = v.visit_id from visits as v, visit_lines as l group by l.visit_id = v.visit_id`,
  // other columns and other tables
  `select * from visits as v join visit_lines as l on l.line_no = v.at_clinic`,
  `select * from visits as v join visit_lines as l on l.visit_id = l.visit_id`,
  `select * from bills as b join bill_lines as l on l.bill_no = b.bill_no`,
  `select * from bills as b join bill_lines as l on l.bill_no = b.bill_no and l.line_no = b.clinic_no or l.bill_no = b.clinic_no`,
  `select * from slots as a cross join slots as b join slot_notes as n on n.room = a.room and n.hour = b.hour`,
  `select * from slots as a join slot_notes as n on n.room = a.room left join slots as b on n.hour = b.hour`,
  `select * from bills as b (bill_no, clinic_no) join bill_lines as l on l.bill_no = b.bill_no and l.issued_by = b.clinic_no`,
  `select * from bills as b join bill_lines as l (bill_no, issued_by) on l.bill_no = b.bill_no and l.issued_by = b.clinic_no`,
  `select * from visits cross join (select generate_series(1, 30) as visit_id) as v join visit_lines as l on l.visit_id = v.visit_id`,
  `with v as (select generate_series(1, 30) as visit_id) select * from v as visits join visit_lines as l on l.visit_id = visits.visit_id`,
  `select * from marks as visits join visit_lines as l on l.visit_id = visits.mark`,
  `select * from visits as v join visit_lines as l on l.visit_id = v.visit_id join line_notes as n on n.line_no = l.line_no`,
  `select * from visits as v, line_notes as n, visit_lines as l where n.line_no = l.line_no and l.visit_id = v.visit_id`,
  // a second use
  `select * from visits as v join visit_lines as l on l.visit_id = v.visit_id cross join visit_lines as other`,
  `select * from visits as v join visit_lines as l on l.visit_id = v.visit_id join visit_lines as other on other.line_no = l.line_no`,
  `select v.visit_id, (select count(*) from visit_lines) from visits as v join visit_lines as l on l.visit_id = v.visit_id`,
  `with other as (select * from visit_lines) select other.* from other, visits as v join visit_lines as l on l.visit_id = v.visit_id`,
  `select * from visits as v join visit_lines as l on l.visit_id = v.visit_id where exists (select from visit_lines as other where other.visit_id > v.visit_id + 12)`,
  `select l.quantity from visits as v join visit_lines as l on l.visit_id = v.visit_id union select quantity from visit_lines`,
  `select l.quantity from visits as v join visit_lines as l on l.visit_id = v.visit_id union all (select quantity from visit_lines except select 0)`,
  `select l.quantity from visits as v join visit_lines as l on l.visit_id = v.visit_id order by l.quantity limit (select count(*) / 2 from visit_lines)`,
  `with recursive t as (select l.visit_id, 1 as n from visits as v join visit_lines as l on l.visit_id = v.visit_id union all select l.visit_id, n + 1 from t join visit_lines as l on l.visit_id = t.visit_id + 1 where t.n < 3) table t`,
  // another level
  `select (select sum(quantity) from visit_lines as l where l.visit_id <> v.visit_id) from visits as v`,
  `select * from visits as v, lateral (select * from visit_lines as l where l.visit_id >= v.visit_id) as s`,
  `select * from visit_lines as l left join lateral (select v.visit_id from visits as v where l.visit_id = v.visit_id) as s on true`,
  `select * from visit_lines as l where (select count(*) from visits as v where l.visit_id = v.visit_id) >= 0`,
  `select * from visit_lines as l where not exists (select from visits as v where l.visit_id = v.visit_id) or l.quantity > 0`,
  // names that an alias of a join hides, or that the condition of a join does not see
  `select (select count(*) from (visits as v cross join visit_lines as l) as j where l.visit_id = v.visit_id) from visits as v join visit_lines as l on l.visit_id = v.visit_id`,
  `select (select count(*) from visits as v, visit_lines as l join drugs as d on l.visit_id = v.visit_id) from (select generate_series(1, 30) as visit_id) as v`,
  `select (select count(*) from visit_lines as l, visits as v join drugs as d on l.visit_id = v.visit_id) from visits as v join visit_lines as l on l.visit_id = v.visit_id`,
] as const

/** They would return the same rows, but that is not decided. */
export const UNDECIDED = [
  `select * from visits as v join visit_lines as l using (visit_id)`,
  `select * from visits natural join visit_lines`,
  `select fee_cents from visits, visit_lines as l (id) where visit_id = id`,
  `select * from visits as v, visit_lines as l where l.visit_id is not distinct from v.visit_id`,
  `select * from visits as v, visit_lines as l where l.visit_id = v.visit_id and false or l.visit_id = v.visit_id`,
  `select * from visits as v, visit_lines as l where l.visit_id::bigint = v.visit_id`,
  `select * from visits as v right join (select 1) as one on true left join lateral (select l.* from visit_lines as l where l.visit_id = v.visit_id) as s on true`,
  `select * from visits as v where exists (select from visit_lines as l where l.visit_id = v.visit_id)`,
  `select * from visits as v left join (select visit_id, sum(quantity) from visit_lines group by visit_id) as l on l.visit_id = v.visit_id`,
  `select * from visit_lines as l left join visits as v on l.visit_id = v.visit_id where v.visit_id > 0`,
  `select v.visit_id from visits as v, visit_lines as l group by v.visit_id, l.visit_id having l.visit_id = v.visit_id`,
  `select * from visits as v join line_notes as n on n.visit_id = v.visit_id`,
] as const
