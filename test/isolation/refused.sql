-- Headed by how the refusal of loading or of PostgreSQL begins.

-- patients is neither
select * from visits join patients using (patient_id);
with patients as (select * from patients) select * from patients, visits;
with a as (table patients), patients as (table visits) table a;
select * from visits, (with patients as (table marks) table patients) as m, patients;
(with patients as (table visits) table patients) union all table patients;
select * from visits where exists (with p as (table patients) table p);
with p as (with patients as (table visits) table patients) select * from p, lateral (table patients) as q;
with recursive p as (with patients as (table patients) table patients) select * from p, visits;
select * from visits order by (select count(*) from patients);
values ((select name from patients limit 1), (select count(*) from visits));
-- clinic_keys is neither
select * from clinic_keys;
-- pg_stats
select * from visits, pg_stats;
-- pg_class
select * from visits where exists (select from pg_class);
-- pg_catalog.pg_stats
select * from visits, pg_catalog.pg_stats;
-- information_schema.tables
select * from visits, information_schema.tables;
-- pg_temp.visits
select * from pg_temp.visits;
-- lab.visits
select * from visits, lab.visits;
-- public.visits
select * from public.visits;
select public.visits.fee_cents from visits, public.visits;
-- svodka.public.visits
select * from svodka.public.visits;
-- PUBLIC.visits
select * from U&"\0050UBLIC".visits;
-- Visits is neither
select * from "Visits";
-- only visits
select * from only visits;
-- only marks
select * from only (marks);
-- tablesample
select * from visits tablesample system (100);
-- the CTE "pg_stats"
with pg_stats as (select * from pg_stats) select * from pg_stats, visits;
-- the CTE "visits"
with visits as (table visits) table visits;
with recursive visits as (select 1 as n union table visits) table visits;
-- delete writes
with x as (delete from visits returning *) table x;
-- for update
select * from visits for update of visits;
-- select ... into
select * into x from visits;
-- a second statement
select * from visits; select 1;
-- query_to_xml()
select query_to_xml('select * from visits', true, true, '') from visits;
select pg_catalog.query_to_xml('select * from visits', true, true, '') from visits;
select U&"quer\0079_to_xml"('select * from visits', true, true, '') from visits;
-- table_to_xml()
select * from visits, table_to_xml('visits', true, true, '');
-- ts_stat()
select * from visits, lateral ts_stat('select name from patients');
-- pg_read_file()
select pg_read_file('PG_VERSION') from visits;
-- set_config()
select set_config('search_path', 'lab', true) from visits;
-- current_setting()
select current_setting('search_path') from visits;
-- function pg_catalog.dblink(
select * from visits, dblink('', 'select fee_cents from visits') as t (fee bigint);
-- pg_get_viewdef()
select pg_get_viewdef('visit_fees') from visits;
-- function pg_catalog.fee_of(integer)
select fee_of(visit_id) from visits;
select * from visits, fee_of(1);
-- function pg_catalog.fees()
select * from visits, rows from (fees(), generate_series(1, 2)) as f;
-- function pg_catalog.all_fees(integer)
select all_fees(visit_id) from visits;
select all_fees(visit_id) over () from visits;
-- function pg_catalog.fee_of(
select fee_of(visits) from visits;
-- public.fee_of()
select public.fee_of(1) from visits;
-- tools.fee_of()
select tools.fee_of(1) from visits;
-- svodka.public.fee_of()
select svodka.public.fee_of(1) from visits;
-- pg_catalog.public.fee_of()
select pg_catalog.public.fee_of(1) from visits;
-- operator(tools.<~>)
select operator(tools.<~>) 1 from visits;
-- column "secret"
select secret from tenants_names;
-- ctid depends
select ctid from visits;
-- tableoid depends
select visits.tableoid from visits;
