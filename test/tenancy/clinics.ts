// A second product for tests of tenancy: clinics with smallint ids, children, shared tables, views and a second schema.
export const CLINICS_SCHEMA = `
create table clinics (clinic_no smallint primary key, title text not null, zone text not null);
create table clinic_keys (hash bytea primary key, clinic smallint not null references clinics);
create table drugs (drug_id integer primary key, name text not null, list_price numeric(10, 2) not null);
create table drug_prices (drug_id integer not null references drugs, since date not null, price bigint not null, primary key (drug_id, since));
create table patients (patient_id integer primary key, name text not null);
create table visits (
    visit_id integer primary key,
    at_clinic smallint not null references clinics,
    patient_id integer references patients,
    started_at timestamptz not null,
    fee_cents bigint not null
);
create table visit_lines (
    visit_id integer not null references visits,
    line_no integer not null,
    drug_id integer not null references drugs,
    quantity integer not null,
    price_cents bigint not null,
    primary key (visit_id, line_no)
);
create table line_notes (
    note_id integer primary key,
    visit_id integer not null,
    line_no integer not null,
    note text not null,
    foreign key (visit_id, line_no) references visit_lines
);
create table doses (
    dose_id integer primary key,
    visit_id integer not null references visits,
    note_id integer not null references line_notes
);
create schema lab;
create table lab.samples (
    sample_id integer primary key,
    clinic_no smallint not null references clinics,
    visit_id integer references visits,
    taken_on date not null
);
create table lab.results (sample_id integer primary key references lab.samples, value numeric not null);
create table events (clinic_no smallint not null references clinics, day date not null, what text not null) partition by range (day);
create table events_all partition of events default;
create table referrals (
    referral_id integer primary key,
    from_clinic smallint not null references clinics,
    to_clinic smallint not null references clinics,
    patient_id integer not null references patients
);
create table marks (mark_id integer primary key, clinic_no smallint not null, mark integer not null);
create table old_marks (mark_id integer primary key, mark integer not null, clinic_no smallint not null references clinics);
create table lab.visits (visit_id integer primary key, at_clinic smallint not null references clinics);
create table wards (ward_id integer primary key, clinic_no smallint not null references clinics, above integer references wards, name text not null);
create view visit_fees as select visit_id, at_clinic, fee_cents from visits;
create view line_list as select visit_id, line_no, quantity from visit_lines;
create materialized view daily_visits as
    select at_clinic, started_at::date as day, count(*) as visits from visits group by 1, 2;
create function fee_of(visit integer) returns bigint language sql stable as
    'select fee_cents from visits where visit_id = visit';
create function double_of(amount bigint) returns bigint language sql immutable as 'select 2 * amount';

insert into clinics values (1, 'One', 'Europe/Moscow'), (2, 'Two', 'Europe/Moscow');
insert into patients values (1, 'Anna'), (2, 'Boris');
insert into drugs values (1, 'Aspirin', 10), (2, 'Iodine', 20);
insert into visits select n, n % 2 + 1, 1, timestamptz '2026-03-01 12:00+03' + n * interval '1 day', 100 * n from generate_series(1, 20) as n;
insert into visit_lines select n, l, l, n, 10 * n from generate_series(1, 20) as n, generate_series(1, 2) as l;
insert into line_notes select n, n, 1, 'note ' || n from generate_series(1, 20) as n;
insert into lab.samples select n, n % 2 + 1, n, date '2026-03-01' + n from generate_series(1, 20) as n;
refresh materialized view daily_visits;
analyze;`

export const CLINICS_TENANCY = `
drugs: shared
drug_prices: shared
referrals: from_clinic
line_list: via visits
`
