/** Statements on the clinics: `-- !` marks the line of a finding. */

/** Statements that read only the organization's rows. */
export const VALID = [
  // spellings of the condition
  `select from visits where visits.at_clinic = :organization_id`,
  `select from visits as v where :organization_id = v.at_clinic`,
  `select from visits where at_clinic::integer = (:organization_id)::integer`,
  `select from visits where visits.at_clinic in (:organization_id)`,
  `select from visits where visits.at_clinic = any (array[:organization_id])`,
  `select from visits where visits.at_clinic = (select :organization_id)`,
  `select from visits where visits.at_clinic is not distinct from :organization_id`,
  `select from visits where not (visits.at_clinic <> :organization_id)`,
  `select from visits where not (visits.at_clinic is distinct from :organization_id or visits.fee_cents < 0)`,
  `select from visits where (visits.at_clinic, visits.fee_cents) = (:organization_id, 100)`,
  `select from visits where (visits.at_clinic = :organization_id) is true`,
  `select from visits where coalesce(visits.at_clinic = :organization_id, false)`,
  `select from visits where visits.at_clinic = :organization_id and visits.fee_cents > 0 or visits.at_clinic = :organization_id and visits.fee_cents < 0`,
  `select from visits where (visits.fee_cents > 0 or visits.fee_cents < -5) and visits.at_clinic = :organization_id`,
  `select from visits where visits.at_clinic = :organization_id and case when visits.fee_cents > 0 then true else false end`,
  `select visits.at_clinic, count(*) from visits group by visits.at_clinic having visits.at_clinic = :organization_id`,
  // joins
  `select from visits join lab.samples on samples.clinic_no = visits.at_clinic and samples.visit_id = visits.visit_id where visits.at_clinic = :organization_id`,
  `select from visits, lab.samples as s where s.clinic_no = visits.at_clinic and s.clinic_no = :organization_id and s.visit_id = visits.visit_id`,
  `select from visits left join marks on marks.clinic_no = visits.at_clinic where visits.at_clinic = :organization_id`,
  `select from visits left join marks on marks.clinic_no = :organization_id where visits.at_clinic = :organization_id`,
  `select from marks right join visits on marks.clinic_no = visits.at_clinic where visits.at_clinic = :organization_id`,
  `select from visits join marks on marks.clinic_no = visits.at_clinic and visits.at_clinic = :organization_id`,
  `select from visits where (visits.at_clinic, visits.fee_cents) in ((:organization_id, 1), (:organization_id, 2))`,
  `select from visits as v (id, clinic) where v.clinic = :organization_id`,
  `select from (values (:organization_id)) as me (id) join visits on visits.at_clinic = me.id`,
  `select from visits where visits.at_clinic::text = (:organization_id)::text`,
  `select from (select 1) as one left join visits on visits.at_clinic = :organization_id`,
  `select from marks join events using (clinic_no) where marks.clinic_no = :organization_id`,
  `select from marks join events using (clinic_no) where clinic_no = :organization_id`,
  `select from marks left join events using (clinic_no) where clinic_no = :organization_id`,
  `select from clinics join visits on visits.at_clinic = clinics.clinic_no where clinics.clinic_no = :organization_id`,
  `select from clinics left join (visits join visit_lines on visit_lines.visit_id = visits.visit_id) on visits.at_clinic = clinics.clinic_no where clinics.clinic_no = :organization_id`,
  `select from visits full join (select 1 as n) as one on false where visits.at_clinic = :organization_id`,
  // children
  `select from visits join visit_lines on visit_lines.visit_id = visits.visit_id where visits.at_clinic = :organization_id`,
  `select from visits join visit_lines using (visit_id) where visits.at_clinic = :organization_id`,
  `select from visits natural join visit_lines where visits.at_clinic = :organization_id`,
  `select from visits left join visit_lines as l on l.visit_id = visits.visit_id where visits.at_clinic = :organization_id`,
  `select from visits left join visit_lines as l on l.visit_id = visits.visit_id where visits.at_clinic = :organization_id and l.visit_id is null`,
  `select from visit_lines, visits as v where visit_lines.visit_id = v.visit_id and v.at_clinic = :organization_id`,
  `select from visit_lines where visit_lines.visit_id in (select v.visit_id from visits as v where v.at_clinic = :organization_id)`,
  `select from visit_lines where visit_lines.visit_id = any (array(select v.visit_id from visits as v where v.at_clinic = :organization_id))`,
  `select from visit_lines as l where exists (select 1 from visits where visits.visit_id = l.visit_id and visits.at_clinic = :organization_id)`,
  `select from visit_lines as l where exists (select from visits where visits.visit_id = l.visit_id and visits.at_clinic = :organization_id and visits.fee_cents > 0 union select from visits where visits.visit_id = l.visit_id and visits.at_clinic = :organization_id)`,
  `select from visits as v where v.at_clinic = :organization_id and not exists (select from visit_lines where visit_lines.visit_id = v.visit_id)`,
  `select (select sum(visit_lines.quantity) from visit_lines where visit_lines.visit_id = v.visit_id) from visits as v where v.at_clinic = :organization_id`,
  `select from visits as v cross join lateral (select sum(l.quantity) as quantity from visit_lines as l where l.visit_id = v.visit_id) as sums where v.at_clinic = :organization_id`,
  `select from visits as v left join lateral (select l.quantity from visit_lines as l where l.visit_id = v.visit_id order by l.line_no limit 1) as first_line on true where v.at_clinic = :organization_id`,
  `select from line_notes join visit_lines using (visit_id, line_no) join visits using (visit_id) where visits.at_clinic = :organization_id`,
  `select from visits join visit_lines as l on l.visit_id = visits.visit_id left join line_notes as n on n.visit_id = l.visit_id and n.line_no = l.line_no where visits.at_clinic = :organization_id`,
  `select from visits join visit_lines using (visit_id) join line_notes using (visit_id, line_no) join doses on doses.note_id = line_notes.note_id where visits.at_clinic = :organization_id`,
  `select from line_notes as n join visits as v on v.visit_id = n.visit_id where v.at_clinic = :organization_id`,
  `select from visit_lines as l where (select v.at_clinic from visits as v where v.visit_id = l.visit_id) = :organization_id`,
  `select from lab.samples join lab.results on results.sample_id = samples.sample_id where samples.clinic_no = :organization_id`,
  `select from visits join visit_lines on visit_lines.visit_id = visits.visit_id join drugs on drugs.drug_id = visit_lines.drug_id where visits.at_clinic = :organization_id`,
  `select from drugs left join (visit_lines join visits on visits.visit_id = visit_lines.visit_id and visits.at_clinic = :organization_id) on visit_lines.drug_id = drugs.drug_id`,
  `select from visits as a join visits as b on b.visit_id = a.visit_id + 1 and b.at_clinic = a.at_clinic where a.at_clinic = :organization_id`,
  `select from visit_lines as a join visit_lines as b on b.visit_id = a.visit_id join visits on visits.visit_id = b.visit_id where visits.at_clinic = :organization_id`,
  // through CTEs and subqueries
  `with own as (select visits.visit_id from visits where visits.at_clinic = :organization_id) select from visit_lines join own on own.visit_id = visit_lines.visit_id`,
  `with own (a, b) as (select visits.visit_id, visits.at_clinic from visits where visits.at_clinic = :organization_id) select from visit_lines join own on own.a = visit_lines.visit_id join marks on marks.clinic_no = own.b`,
  `with all_visits as (select v.visit_id, v.at_clinic as clinic from visits as v) select from all_visits where all_visits.clinic = :organization_id`,
  `with lines as (select l.visit_id, sum(l.quantity) as quantity from visit_lines as l group by l.visit_id) select from visits left join lines on lines.visit_id = visits.visit_id where visits.at_clinic = :organization_id`,
  `select from visits join (select visit_lines.visit_id, count(*) as n from visit_lines group by 1) as counts (id, n) on counts.id = visits.visit_id where visits.at_clinic = :organization_id`,
  `select from visits as v where v.at_clinic = :organization_id and v.visit_id in (select visit_lines.visit_id from visit_lines where visit_lines.drug_id = 1)`,
  `select from visits as v where v.at_clinic = :organization_id and v.visit_id not in (select visit_lines.visit_id from visit_lines)`,
  `with both_kinds as (select v.at_clinic, v.fee_cents from visits as v union all select s.clinic_no, 0 from lab.samples as s) select from both_kinds where both_kinds.at_clinic = :organization_id`,
  `select from (select * from visits) as all_visits where all_visits.at_clinic = :organization_id`,
  `with ranked as (select v.at_clinic, row_number() over (partition by v.at_clinic order by v.fee_cents) as place from visits as v) select from ranked where ranked.at_clinic = :organization_id and ranked.place = 1`,
  `with ranked as (select v.at_clinic, rank() over w as place from visits as v window w as (partition by v.at_clinic order by v.fee_cents)) select from ranked where ranked.at_clinic = :organization_id`,
  `with first_ones as (select distinct on (v.at_clinic) v.at_clinic, v.fee_cents from visits as v order by v.at_clinic, v.started_at) select from first_ones where first_ones.at_clinic = :organization_id`,
  `with me as (select :organization_id as id) select from visits join me on me.id = visits.at_clinic`,
  `with params as (select :organization_id as clinic, :period_start as first_day) select from params, visits where visits.at_clinic = params.clinic and visits.started_at::date >= params.first_day`,
  `with last_visit as (select max(v.visit_id) as visit_id from visits as v where v.at_clinic = :organization_id) select from visit_lines join last_visit on last_visit.visit_id = visit_lines.visit_id`,
  `with recursive tree as (select w.ward_id, w.clinic_no from wards as w where w.clinic_no = :organization_id and w.above is null union all select w.ward_id, w.clinic_no from wards as w join tree on tree.ward_id = w.above and tree.clinic_no = w.clinic_no) select from tree`,
  `with recursive tree as (select w.ward_id from wards as w where w.clinic_no = :organization_id union all select w.ward_id from wards as w join tree on tree.ward_id = w.above where w.clinic_no = :organization_id) select from tree`,
  `select from visits where visits.at_clinic = :organization_id union all select from marks where marks.clinic_no = :organization_id`,
  `select from visits where visits.at_clinic = :organization_id and visits.fee_cents > (select avg(o.fee_cents) from visits as o where o.at_clinic = visits.at_clinic)`,
  `select from events where events.clinic_no = (select c.clinic_no from clinics as c where c.clinic_no = :organization_id)`,
  `select from events where (events.clinic_no, events.day) in (select s.clinic_no, s.taken_on from lab.samples as s where s.clinic_no = :organization_id)`,
  `select count(*) filter (where exists (select from visit_lines as l where l.visit_id = v.visit_id)) from visits as v where v.at_clinic = :organization_id`,
  `select from generate_series(1, 3) as n cross join visits where visits.at_clinic = :organization_id`,
  `with own as (select * from visits where visits.at_clinic = :organization_id) select from own join visit_lines as l on l.visit_id = own.visit_id`,
  `with own as (select v.*, l.line_no from visits as v join visit_lines as l using (visit_id) where v.at_clinic = :organization_id) select from own join line_notes as n on n.visit_id = own.visit_id and n.line_no = own.line_no`,
  `with own as (select visits.visit_id from visits where visits.at_clinic = :organization_id) select from visit_lines as l where exists (select from own where own.visit_id = l.visit_id)`,
  `with own as (select visits.visit_id from visits where visits.at_clinic = :organization_id) select (select sum(l.quantity) from visit_lines as l where l.visit_id = own.visit_id) from own union all select (select count(*) from visit_lines as l where l.visit_id in (select own.visit_id from own))`,
  `with me as (select :organization_id as id) select from marks where marks.clinic_no = (select me.id from me)`,
  `select from visit_lines as l where l.visit_id in (select v.visit_id from visits as v where v.at_clinic = :organization_id except select s.visit_id from lab.samples as s where s.clinic_no = :organization_id)`,
  `select from (select v.visit_id from visits as v where v.at_clinic = :organization_id intersect select l.visit_id from visit_lines as l) as both_of join visit_lines using (visit_id)`,
  `select from visits as v, lateral (select sum(l.quantity) as n from visit_lines as l where l.visit_id = v.visit_id) as t where :organization_id = v.at_clinic and t.n > 0`,
  `select from (select v.visit_id, v.at_clinic from visits as v) as x full join (select m.clinic_no from marks as m where m.clinic_no = :organization_id) as y on x.at_clinic = y.clinic_no where x.at_clinic = :organization_id`,
  `select from visit_lines as l join (visits as v join clinics as c on c.clinic_no = v.at_clinic) on v.visit_id = l.visit_id::bigint where c.clinic_no = :organization_id`,
  `select from visits as v where :organization_id in (v.at_clinic) and (v.at_clinic = :organization_id or false)`,
  `select a.n, b.n from (select count(*) as n from visits where at_clinic = :organization_id) as a, (select count(*) as n from marks where clinic_no = :organization_id) as b`,
  `select from visits as v left join (select l.visit_id, l.drug_id from visit_lines as l join drugs as d on d.drug_id = l.drug_id) as x on x.visit_id = v.visit_id and v.fee_cents > 0 where v.at_clinic = :organization_id`,
  `select sum(case when l.drug_id = 1 then l.quantity else 0 end) over (partition by v.visit_id) from visits as v inner join visit_lines as l on (l.visit_id) = (v.visit_id) where (((v.at_clinic))) = ((:organization_id))`,
  // rows identified by a primary key
  `select from visits as v where v.at_clinic = :organization_id and exists (select from visits as w where w.visit_id = v.visit_id and w.fee_cents > 0)`,
  `with own as (select v.visit_id from visits as v where v.at_clinic = :organization_id) select from visits as w join own using (visit_id)`,
  // shared tables, views and partitions
  `select from drugs cross join (select :organization_id) as me`,
  `select from drugs join drug_prices using (drug_id) where :organization_id is not null`,
  `select from visit_fees where visit_fees.at_clinic = :organization_id`,
  `select from daily_visits as d where d.at_clinic = :organization_id`,
  `select from events_all where events_all.clinic_no = :organization_id`,
  `select from visits join line_list on line_list.visit_id = visits.visit_id where visits.at_clinic = :organization_id`,
  `select from referrals where referrals.from_clinic = :organization_id`,
  `select from visits where visits.at_clinic = :organization_id and exists (select from pg_catalog.pg_class)`,
  `select double_of(visits.fee_cents) from visits where visits.at_clinic = :organization_id`,
  `with recursive a as (select own.visit_id from own), own as (select v.visit_id from visits as v where v.at_clinic = :organization_id) select from a join visit_lines as l on l.visit_id = a.visit_id`,
  `select from visits tablesample system (100) where visits.at_clinic = :organization_id`,
  `select from visits as v tablesample system (100) join visit_lines as l using (visit_id) where v.at_clinic = :organization_id`,
  `select from visits as v, json_table(v.fee_cents::text::jsonb, '$[*]' columns (a int)) as j where v.at_clinic = :organization_id`,
  `with t as (select distinct on (1) v.at_clinic, v.fee_cents from visits as v order by 1, v.started_at) select from t where t.at_clinic = :organization_id`,
  `with t as (select distinct on (c) v.at_clinic as c, v.fee_cents from visits as v order by c, v.started_at) select from t where t.c = :organization_id`,
  `with t as (select v.at_clinic, rank() over w2 as r from visits as v window w as (partition by v.at_clinic), w2 as (w order by v.fee_cents)) select from t where t.at_clinic = :organization_id`,
  `with t as (select v.at_clinic, rank() over (w order by v.fee_cents) as r from visits as v window w as (partition by v.at_clinic)) select from t where t.at_clinic = :organization_id`,
  `select from public.visits, lab.visits where public.visits.at_clinic = :organization_id and lab.visits.at_clinic = :organization_id`,
  `with own as (select v.visit_id from visits as v where v.at_clinic = :organization_id) select from own natural join visit_lines`,
  `with own as (select v.visit_id from visits as v where v.at_clinic = :organization_id), d as (select 1 as n) select from d cross join own join visit_lines using (visit_id)`,
  `select from (select 1 as n) as d cross join visits join visit_lines using (visit_id) where visits.at_clinic = :organization_id`,
  `with t as (select * from marks union all select * from marks) select from t where t.clinic_no = :organization_id`,
  `with t as (select * from marks union all select mark_id, clinic_no, mark from old_marks) select from t where t.clinic_no = :organization_id`,
  `with t as (select m.*, 1 as c from marks as m union all select o.mark_id, o.clinic_no, o.mark, o.mark as c from old_marks as o) select from t where t.clinic_no = :organization_id`,
  `with p (clinic, patient) as (select :organization_id, 5) select from visits as v, p where v.at_clinic = p.clinic`,
  `with p (clinic, patient) as (select :organization_id::int, 5::int) select from visits as v, p where v.at_clinic = p.clinic`,
  `with own_ids as (select :organization_id as id) select from visits as v where v.at_clinic in (table own_ids)`,
  `select from visits as v where v.visit_id in (select s.visit_id from lab.samples as s where s.clinic_no = v.at_clinic and v.at_clinic = :organization_id)`,
  `with own as (select * from visits join visit_lines using (visit_id) where visits.at_clinic = :organization_id) select from own join line_notes as n using (visit_id, line_no)`,
] as const

const READ = "is read without its organization's condition"

/** Words of the finding, and a statement that reads rows of other organizations. */
export const LEAKS: ReadonlyArray<readonly [string, string]> = [
  [READ, `select :organization_id\nfrom visits -- !`],
  [`found none`, `select\nfrom visits -- !\nwhere :organization_id = :organization_id`],
  [`or next to`, `select from visits\nwhere visits.at_clinic = :organization_id or true -- !`],
  [
    `or next to`,
    `select from visits where visits.at_clinic = :organization_id\nor visits.fee_cents = 0 -- !`,
  ],
  [
    `or next to`,
    `select from visits where visits.at_clinic = :organization_id\nor visits.patient_id is null -- !`,
  ],
  [
    `found visits.at_clinic in (:organization_id, 2)`,
    `select from visits\nwhere visits.at_clinic in (:organization_id, 2) -- !`,
  ],
  [
    `found visits.at_clinic <> :organization_id`,
    `select from visits\nwhere visits.at_clinic <> :organization_id -- !`,
  ],
  [
    `found visits.at_clinic >= :organization_id`,
    `select from visits\nwhere visits.at_clinic >= :organization_id -- !`,
  ],
  [READ, `select from visits\nwhere not (visits.at_clinic = :organization_id) -- !`],
  [READ, `select from visits\nwhere visits.at_clinic is distinct from :organization_id -- !`],
  [READ, `select from visits\nwhere visits.at_clinic between :organization_id and 9 -- !`],
  [READ, `select from visits\nwhere visits.at_clinic = any (array[:organization_id, 2]) -- !`],
  [READ, `select from visits\nwhere coalesce(visits.at_clinic = :organization_id, true) -- !`],
  [READ, `select from visits\nwhere (visits.at_clinic = :organization_id) is not false -- !`],
  [READ, `select from visits\nwhere visits.at_clinic::boolean = (:organization_id)::boolean -- !`],
  [
    READ,
    `select from visits\nwhere visits.at_clinic::text like (:organization_id)::text || '%' -- !`,
  ],
  [
    READ,
    `select from (values (:organization_id), (2)) as me (id) join\nvisits -- !\non visits.at_clinic = me.id`,
  ],
  [READ, `select from visits -- !\nwhere visits.at_clinic = 1 and :organization_id > 0`],
  [
    `expected visits.at_clinic`,
    `select\nfrom visits -- !\nwhere visits.patient_id = :organization_id`,
  ],
  [
    `expected visits.at_clinic`,
    `select\nfrom visits -- !\nwhere visits.at_clinic = visits.at_clinic and :organization_id > 0`,
  ],
  // joins
  [
    `outer join that returns rows without a match`,
    `select from visits left join marks\non visits.at_clinic = :organization_id -- !\nand marks.clinic_no = visits.at_clinic and marks.clinic_no = :organization_id`,
  ],
  [
    READ,
    `select from marks left join\nvisits -- !\non visits.visit_id = marks.mark_id where marks.clinic_no = :organization_id`,
  ],
  [
    READ,
    `select\nfrom visits -- !\nleft join marks on marks.clinic_no = :organization_id and marks.clinic_no = visits.at_clinic`,
  ],
  [
    READ,
    `select from visits left join marks on marks.clinic_no = visits.at_clinic\nwhere visits.at_clinic = :organization_id\nand exists (select from\nevents -- !\nwhere events.day > :period_start)`,
  ],
  [
    `or next to`,
    `select from visits full join marks on marks.clinic_no = visits.at_clinic\nwhere visits.at_clinic = :organization_id or marks.clinic_no is null -- !`,
  ],
  [
    READ,
    `select from visits full join marks -- !\non marks.clinic_no = visits.at_clinic and visits.at_clinic = :organization_id -- !`,
  ],
  [
    READ,
    `select from visits join\nlab.samples -- !\non samples.visit_id = visits.visit_id where visits.at_clinic = :organization_id`,
  ],
  [
    READ,
    `select from visits join\nlab.samples -- !\nusing (visit_id) where visits.at_clinic = :organization_id`,
  ],
  [READ, `select from visits cross join\nmarks -- !\nwhere visits.at_clinic = :organization_id`],
  [
    READ,
    `select from visits,\nmarks -- !\nwhere visits.at_clinic = :organization_id and marks.mark_id = 1`,
  ],
  [
    READ,
    `select\nfrom visits -- !\njoin marks on marks.clinic_no = visits.at_clinic where :organization_id > 0`,
  ],
  [
    READ,
    `select from visits as a join\nvisits as b -- !\non b.patient_id = a.patient_id where a.at_clinic = :organization_id`,
  ],
  [
    READ,
    `select from visits join\nmarks -- !\non marks.clinic_no = visits.at_clinic or marks.mark = 0 where visits.at_clinic = :organization_id`,
  ],
  [
    READ,
    `select\nfrom clinics -- !\nleft join visits on visits.at_clinic = clinics.clinic_no and visits.at_clinic = :organization_id`,
  ],
  [
    READ,
    `select from visits as v where v.at_clinic = :organization_id and exists (select from visits as w where w.visit_id > v.visit_id) -- !`,
  ],
  [
    READ,
    `select from visits as v where :organization_id > 0 and exists (select from visits as w where w.visit_id = v.visit_id) -- !`,
  ],
  // children
  [`without a row of visits of the organization`, `select :organization_id\nfrom visit_lines -- !`],
  [
    `expected l.visit_id = visits.visit_id`,
    `select from visits cross join\nvisit_lines as l -- !\nwhere visits.at_clinic = :organization_id`,
  ],
  [
    `expected visit_lines.visit_id`,
    `select from visits join\nvisit_lines -- !\non visit_lines.line_no = visits.visit_id where visits.at_clinic = :organization_id`,
  ],
  [READ, `select from visit_lines join\nvisits -- !\nusing (visit_id) where :organization_id > 0`],
  [
    `visit_lines is read without a row of visits`,
    `select\nfrom visit_lines -- !\nleft join visits on visits.visit_id = visit_lines.visit_id and visits.at_clinic = :organization_id`,
  ],
  [
    `visit_lines`,
    `select\nfrom visit_lines -- !\nwhere visit_lines.visit_id not in (select v.visit_id from visits as v where v.at_clinic = :organization_id)`,
  ],
  [
    `visit_lines`,
    `select\nfrom visit_lines -- !\nwhere not exists (select from visits as v where v.visit_id = visit_lines.visit_id and v.at_clinic = :organization_id)`,
  ],
  [
    `visit_lines`,
    `select\nfrom visit_lines -- !\nwhere exists (select from visits as v where v.at_clinic = :organization_id)`,
  ],
  [
    `visit_lines`,
    `select\nfrom visit_lines as l -- !\nwhere exists (select count(*) from visits as v where v.visit_id = l.visit_id and v.at_clinic = :organization_id)`,
  ],
  [
    `line_notes`,
    `select from visits join visit_lines as l using (visit_id) join\nline_notes as n -- !\non n.line_no = l.line_no where visits.at_clinic = :organization_id`,
  ],
  [
    `results is read without a row of samples`,
    `select from visits join\nlab.results -- !\non results.sample_id = visits.visit_id where visits.at_clinic = :organization_id`,
  ],
  [
    `visit_lines`,
    `select (select count(*) from\nvisit_lines -- !\nwhere visit_lines.drug_id = drugs.drug_id) from drugs where :organization_id > 0`,
  ],
  // why: clinics has no visit_id, so each line is compared with itself
  [
    `visit_lines`,
    `select\nfrom visit_lines -- !\nwhere visit_id in (select visit_id from clinics where clinic_no = :organization_id)`,
  ],
  [
    `visit_lines`,
    `select\nfrom visit_lines -- !\nwhere exists (select from visits where visit_id = visit_id and at_clinic = :organization_id)`,
  ],
  [
    `visit_lines`,
    `select from visits as v, lateral (select sum(l.quantity) from\nvisit_lines as l -- !\nwhere l.visit_id > v.visit_id) as t where v.at_clinic = :organization_id`,
  ],
  [
    `visit_lines`,
    `select\nfrom visit_lines -- !\nwhere visit_id <> (select max(visit_id) from visits where at_clinic = :organization_id)`,
  ],
  // through CTEs and subqueries
  [
    READ,
    `with all_visits as (select v.visit_id, v.at_clinic from\nvisits as v) -- !\nselect from all_visits as a, all_visits as b where a.at_clinic = :organization_id and b.visit_id = a.visit_id`,
  ],
  [
    READ,
    `with sums as (select sum(v.fee_cents) as fees from\nvisits as v) -- !\nselect from visits, sums where visits.at_clinic = :organization_id`,
  ],
  [
    READ,
    `with top as (select v.at_clinic, v.fee_cents from\nvisits as v -- !\norder by v.fee_cents desc limit 10) select from top where top.at_clinic = :organization_id`,
  ],
  [
    READ,
    `with ranked as (select v.at_clinic, rank() over (order by v.fee_cents) as place from\nvisits as v) -- !\nselect from ranked where ranked.at_clinic = :organization_id`,
  ],
  [
    READ,
    `with first_ones as (select distinct on (v.patient_id) v.at_clinic, v.fee_cents from\nvisits as v -- !\norder by v.patient_id, v.started_at) select from first_ones where first_ones.at_clinic = :organization_id`,
  ],
  [
    READ,
    `select from visits where visits.at_clinic = :organization_id\nunion all select from\nmarks -- !\nwhere marks.mark > 0`,
  ],
  [
    READ,
    `with both_kinds as (select v.at_clinic from visits as v union all select 1 from\nmarks) -- !\nselect from both_kinds where both_kinds.at_clinic = :organization_id`,
  ],
  [
    READ,
    `select from visits where visits.at_clinic = :organization_id and visits.fee_cents > (select avg(o.fee_cents) from\nvisits as o) -- !`,
  ],
  [
    READ,
    `select count(*) from visits where visits.at_clinic = :organization_id having count(*) > (select count(*) from\nmarks) -- !`,
  ],
  [
    READ,
    `select from visits where visits.at_clinic = :organization_id order by (select count(*) from\nmarks -- !\nwhere marks.mark = visits.fee_cents)`,
  ],
  [
    READ,
    `with recursive tree as (select w.ward_id from wards as w where w.clinic_no = :organization_id union all select w.ward_id from\nwards as w -- !\njoin tree on tree.ward_id = w.above) select from tree`,
  ],
  [
    READ,
    `select from visits as v cross join lateral (select m.mark from\nmarks as m -- !\nwhere m.mark_id = v.visit_id) as one where v.at_clinic = :organization_id`,
  ],
  [
    READ,
    `select from events,\nvisits -- !\nwhere events.clinic_no = :organization_id and visits.at_clinic in (select s.clinic_no from lab.samples as s)`,
  ],
  // tables of unknown tenancy, views and partitions
  [
    `patients is neither`,
    `select from visits join\npatients -- !\nusing (patient_id) where visits.at_clinic = :organization_id`,
  ],
  [READ, `select :organization_id\nfrom visit_fees -- !`],
  [READ, `select :organization_id\nfrom daily_visits -- !`],
  [READ, `select :organization_id\nfrom events_all -- !`],
  [`line_list`, `select :organization_id\nfrom line_list -- !`],
  [
    `expected referrals.from_clinic`,
    `select\nfrom referrals -- !\nwhere referrals.to_clinic = :organization_id`,
  ],
  [`expected samples.clinic_no`, `select :organization_id\nfrom lab.samples -- !`],
  [
    READ,
    `with recursive a as (select d.at_clinic, d.visit_id from drugs as d), drugs as (select v.at_clinic, v.visit_id from visits as v) select from a, drugs where drugs.at_clinic = :organization_id -- !`,
  ],
  [READ, `select :organization_id from visits tablesample system (100) -- !`],
  [
    READ,
    `select :organization_id from json_table((select json_agg(v) from visits as v), '$[*]' columns (a int)) as j -- !`,
  ],
  [
    READ,
    `select :organization_id from xmltable('/a' passing (select xmlagg(xmlelement(name a, v.fee_cents)) from visits as v) columns x int) as j -- !`,
  ],
  [
    READ,
    `with t as ((select v.at_clinic from visits as v union all select s.clinic_no from lab.samples as s where s.clinic_no = :organization_id limit 10) union all select m.clinic_no from marks as m) select from t where t.at_clinic = :organization_id -- !`,
  ],
  [
    READ,
    `with f as (select distinct on (at_clinic) v.patient_id as at_clinic, v.at_clinic as c, v.fee_cents from visits as v order by at_clinic, v.started_at) select from f where f.c = :organization_id -- !`,
  ],
  [
    READ,
    `with t as (select v.at_clinic, json_arrayagg(v.fee_cents) over () as j from visits as v) select from t where t.at_clinic = :organization_id -- !`,
  ],
  [
    READ,
    `with p (clinic, patient) as (select :organization_id, 5) select from visits as v, p where v.at_clinic = p.patient -- !`,
  ],
  [
    READ,
    `select from visits as v, (select :organization_id, 5) as p (clinic, patient) where v.at_clinic = p.patient -- !`,
  ],
  [
    READ,
    `select from visits as v, (select :organization_id::int, 5::int) as p (clinic, patient) where v.at_clinic = p.patient -- !`,
  ],
  [
    `visit_lines`,
    `select from visits natural join visit_lines as l (a, b, c) where visits.at_clinic = :organization_id -- !`,
  ],
  [
    `visit_lines`,
    `select from visits join visit_lines as l (line_no, visit_id) using (visit_id) where visits.at_clinic = :organization_id -- !`,
  ],
  [
    `visit_lines`,
    `select from visits join (select l.line_no, l.visit_id from visit_lines as l) as x (visit_id, line_no) using (visit_id) where visits.at_clinic = :organization_id -- !`,
  ],
  [
    READ,
    `with t as (select * from marks union all select * from old_marks) select from t where t.clinic_no = :organization_id -- !`,
  ],
  [
    READ,
    `with t as (select mark_id, clinic_no, mark from marks union all select * from old_marks) select from t where t.clinic_no = :organization_id -- !`,
  ],
  [
    READ,
    `with t as (select m.*, 1 as c from marks as m where m.clinic_no = :organization_id union all select o.mark_id, o.clinic_no, o.mark, o.mark as c from old_marks as o) select from t where t.c = :organization_id -- !`,
  ],
  [
    READ,
    `select from (select * from visits as v (at_clinic, visit_id)) as t where t.at_clinic = :organization_id -- !`,
  ],
  [
    READ,
    `select from public.visits, lab.visits where public.visits.at_clinic = :organization_id and public.visits.at_clinic = :organization_id -- !`,
  ],
  [
    READ,
    `select from public.visits, lab.visits where lab.visits.at_clinic = :organization_id -- !`,
  ],
  [
    READ,
    `select from visits as v where exists (select from json_to_record('{"at_clinic": 2}') as x (at_clinic int) where at_clinic = :organization_id) -- !`,
  ],
  [
    READ,
    `select from visits where visits.at_clinic::float8::int = (:organization_id)::float8::int -- !`,
  ],
  [READ, `select from visits where visits.at_clinic::name = (:organization_id)::name -- !`],
  [
    READ,
    `select from visits as v left join referrals as r on v.at_clinic = :organization_id and r.from_clinic = v.at_clinic where r.patient_id is not distinct from v.patient_id -- !`,
  ],
  [
    `visit_lines`,
    `select from visit_lines as l where null::bigint is not distinct from (select v.fee_cents from visits as v where v.visit_id = l.visit_id and v.at_clinic = :organization_id) -- !`,
  ],
  [
    `visit_lines`,
    `select from visit_lines as l where exists (select from visits as v where v.visit_id = l.visit_id and v.at_clinic = :organization_id group by ()) -- !`,
  ],
  [
    `visit_lines`,
    `select from visit_lines as l where exists (select from visits as v where v.visit_id = l.visit_id and v.at_clinic = :organization_id group by rollup (v.fee_cents)) -- !`,
  ],
  [
    `visit_lines`,
    `select from visit_lines as l where exists (select from visits as v where v.visit_id = l.visit_id and v.at_clinic = :organization_id group by grouping sets ((v.fee_cents), ())) -- !`,
  ],
  [
    `visit_lines`,
    `select from visit_lines as l where exists (select 1 from visits as v where v.visit_id = l.visit_id and v.at_clinic = :organization_id order by count(*)) -- !`,
  ],
  [
    `visit_lines`,
    `select from visit_lines as l where exists (select json_arrayagg(v.visit_id) from visits as v where v.visit_id = l.visit_id and v.at_clinic = :organization_id) -- !`,
  ],
  [
    `visit_lines`,
    `select from visit_lines as l where 0 = (select count(*) from visits as v where v.visit_id = l.visit_id and v.at_clinic = :organization_id group by ()) -- !`,
  ],
  [
    `visits`,
    `select from visits as v where :organization_id > 0 and ${Array.from({ length: 32 }, (_, at) => `v.fee_cents in (${at}, -${at})`).join(' and ')} -- !`,
  ],
]

/** A total, and whether it is correct. */
export const TOTALS: ReadonlyArray<readonly [string, boolean]> = [
  ['(select count(*) from marks where marks.clinic_no = :organization_id)', true],
  [
    '(select sum(l.quantity) from visit_lines as l where l.visit_id in (select v.visit_id from visits as v where v.at_clinic = :organization_id))',
    true,
  ],
  ['(select count(*) from report where report.amount > 0)', true],
  ['(select count(*) from marks)', false],
  [
    'sum(amount) + (select max(marks.mark) from marks where marks.mark > 0 or marks.clinic_no = :organization_id)',
    false,
  ],
]

/** Statements of which the text proves nothing. */
export const UNPROVED = [
  `select from (visits join visit_lines using (visit_id)) as j where j.at_clinic = :organization_id`,
  `select from visits where visits.at_clinic = :organization_id or visits.at_clinic is null`,
  `select from visit_lines as l where exists (select from visits as v where v.visit_id = abs(l.visit_id) and v.at_clinic = :organization_id)`,
  `select from unnest(array[:organization_id]) as me (id) join visits on visits.at_clinic = me.id`,
  `select from visits where abs(visits.at_clinic) = :organization_id`,
  `select from visits where visits.at_clinic + 0 = :organization_id`,
  `select from visits where case when visits.fee_cents > 0 then visits.at_clinic end = :organization_id`,
  `select count(*) filter (where visits.at_clinic = :organization_id) from visits`,
  `select fee_of(visits.visit_id) from visits where visits.at_clinic = :organization_id`,
] as const
