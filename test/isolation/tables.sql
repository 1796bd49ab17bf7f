-- Reports, headed by their codes: each row's mark begins with the number of its clinic.

-- generated
select fee::text as mark from visits order by mark;
-- child
select quantity::text as mark from visit_lines order by mark, line_no;
-- grandchild
select right(note, 1) as mark from line_notes order by note_id;
-- great_grandchild
select dose::text as mark from doses order by mark;
-- joined
select dose::text as mark from visits join visit_lines using (visit_id) join line_notes using (visit_id, line_no) join doses using (note_id) where at_clinic = :organization_id order by mark;
-- composite_key
select cents::text as mark from bill_lines order by mark;
-- composite_join
select bill_lines.cents::text as mark from bills join bill_lines on bill_lines.bill_no = bills.bill_no order by mark;
-- other_schema
select at_clinic::text as mark from lab_visits order by visit_id;
-- child_in_other_schema
select trunc(value)::text as mark from results order by mark;
-- partitioned
select right(what, 1) as mark from events order by day;
-- partition
select right(what, 1) as mark from events_all order by day;
-- inherited
select clinic_no::text as mark from marks order by mark_id;
-- heir
select clinic_no::text as mark from old_marks order by mark_id;
-- view
select fee_cents::text as mark from visit_fees order by mark;
-- view_of_child
select (select fee_cents::text from visits where visits.visit_id = line_list.visit_id) as mark from line_list order by mark, line_no;
-- materialized_view
select at_clinic::text as mark from daily_visits order by day;
-- quoted
select "select"::text as mark from "Visit ""Fees"" of: all" order by mark;
-- some_columns
select right(name, 1) as mark from tenants_names order by mark;
