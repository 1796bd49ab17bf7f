/**
 * A product whose clinics have the same data: children down to three levels, composite keys, shared tables, views,
 * partitions, heirs, quoted names, two schemas, and functions that read the rows of all.
 */
export const CLINICS = [1, 2] as const

export const SCHEMA = `
create table clinics (clinic_no smallint primary key, title text not null);
create table clinic_keys (hash bytea primary key, clinic smallint not null references clinics);
create table drugs (drug_id integer primary key, name text not null);
create table drug_prices (drug_id integer not null references drugs, since date not null, price bigint not null, primary key (drug_id, since));
create table patients (patient_id integer primary key, name text not null);
create table visits (
    visit_id integer primary key,
    at_clinic smallint not null references clinics,
    patient_id integer references patients,
    started_at timestamptz not null,
    fee_cents bigint not null,
    fee numeric generated always as (fee_cents / 100.0) stored
);
create table visit_lines (
    visit_id integer not null references visits,
    line_no integer not null,
    drug_id integer not null references drugs,
    quantity integer not null,
    primary key (visit_id, line_no)
);
create table line_notes (
    note_id integer primary key,
    visit_id integer not null,
    line_no integer not null,
    note text not null,
    foreign key (visit_id, line_no) references visit_lines
);
create table doses (dose_id integer primary key, note_id integer not null references line_notes, dose integer not null);
create table bills (clinic_no smallint not null references clinics, bill_no integer not null, cents bigint not null, primary key (clinic_no, bill_no));
create table bill_lines (issued_by smallint not null, bill_no integer not null, line_no integer not null, cents bigint not null,
    primary key (issued_by, bill_no, line_no), foreign key (issued_by, bill_no) references bills);
create schema lab;
create table lab.samples (sample_id integer primary key, clinic_no smallint not null references clinics, visit_id integer references visits);
create table lab.results (sample_id integer primary key references lab.samples, value numeric not null);
create table lab.visits (visit_id integer primary key, at_clinic smallint not null references clinics);
create table events (clinic_no smallint not null references clinics, day date not null, what text not null) partition by range (day);
create table events_all partition of events default;
create table referrals (referral_id integer primary key, from_clinic smallint not null references clinics, to_clinic smallint not null references clinics);
create table marks (mark_id integer primary key, clinic_no smallint not null, mark integer not null);
create table old_marks () inherits (marks);
create table wards (ward_id integer primary key, clinic_no smallint not null references clinics, above integer references wards);
create table "Visit ""Fees"" of: all" ("Clinic No" smallint not null, "select" bigint not null);
create table tenants_names (clinic_no smallint not null, name text not null, secret text not null);
create view visit_fees as select visit_id, at_clinic, fee_cents from visits;
create view line_list as select visit_id, line_no, quantity from visit_lines;
create materialized view daily_visits as select at_clinic, started_at::date as day, count(*) as visits from visits group by 1, 2;
create index on lab.samples (clinic_no);
create schema tools;
create function double_of(amount bigint) returns bigint language sql immutable as 'select 2 * amount';
create function fees() returns setof bigint language sql stable security definer as 'select fee_cents from public.visits';
create function fee_of(visit integer) returns bigint language sql stable security definer as 'select sum(fee_cents) from public.visits';
create function tools.fee_of(visit integer) returns bigint language sql stable security definer as 'select sum(fee_cents) from public.visits';
create function fee_after(fees bigint, visit integer) returns bigint language sql stable security definer as 'select sum(fee_cents) from public.visits';
create aggregate all_fees (integer) (sfunc = fee_after, stype = bigint);
create operator tools.<~> (function = tools.fee_of, rightarg = integer);
insert into drugs values (1, 'Aspirin'), (2, 'Iodine');
insert into drug_prices select drug_id, '2026-01-01', 10 * drug_id from drugs;
insert into patients values (1, 'Anna'), (2, 'Boris');`

/** Rows of one clinic; ids alternate with those of the other, and bills have the same. */
export function rowsOf(clinic: number): string {
  const other = 3 - clinic
  const ids = `(select 2 * n + ${clinic} as id, n from generate_series(1, ${7 + clinic}) as n) as ids`
  return `
insert into clinics values (${clinic}, 'Clinic ${clinic}') on conflict do nothing;
insert into clinics values (${other}, 'Clinic ${other}') on conflict do nothing;
insert into clinic_keys values (sha256('key ${clinic}'), ${clinic});
insert into visits select id, ${clinic}, 1 + n % 2, timestamptz '2026-03-01 12:00+03' + n * interval '1 day', ${clinic} * 1000 + n from ${ids};
insert into visit_lines select id, line, line, ${clinic} * 100 + n from ${ids}, generate_series(1, 2) as line;
insert into line_notes select id, id, 1, 'note of ${clinic}' from ${ids};
insert into doses select id, id, ${clinic} * 10 + n from ${ids};
insert into bills select ${clinic}, n, ${clinic} * 1000 + n from ${ids};
insert into bill_lines select ${clinic}, n, 1, ${clinic} * 1000 + n from ${ids};
insert into lab.samples select id, ${clinic}, id from ${ids};
insert into lab.results select id, ${clinic} * 1000 + n from ${ids};
insert into lab.visits select id, ${clinic} from ${ids};
insert into events select ${clinic}, date '2026-03-01' + n, 'event of ${clinic}' from ${ids};
insert into referrals select id, ${clinic}, ${other} from ${ids};
insert into marks select id, ${clinic}, n from ${ids};
insert into old_marks select 100 + id, ${clinic}, n from ${ids};
insert into wards select id, ${clinic}, nullif(id - 2, ${clinic}) from ${ids};
insert into "Visit ""Fees"" of: all" select ${clinic}, ${clinic} * 1000 + n from ${ids};
insert into tenants_names values (${clinic}, 'Clinic ${clinic}', 'secret of ${clinic}');
refresh materialized view daily_visits;`
}

export const TENANCY = `
clinics: clinic_no
drugs: shared
drug_prices: shared
visits: at_clinic
visit_lines: via visits (visit_id = visit_id)
line_notes: via visit_lines (visit_id = visit_id, line_no = line_no)
doses: via line_notes (note_id = note_id)
bills: clinic_no
bill_lines: via bills (issued_by = clinic_no, bill_no = bill_no)
lab.samples: clinic_no
lab.results: via samples (sample_id = sample_id)
lab_visits: { table: lab.visits, tenancy: at_clinic }
events: clinic_no
events_all: clinic_no
referrals: from_clinic
marks: clinic_no
old_marks: clinic_no
wards: clinic_no
'"Visit ""Fees"" of: all"': '"Clinic No"'
tenants_names: { tenancy: clinic_no, columns: [clinic_no, name] }
visit_fees: at_clinic
line_list: via visits (visit_id = visit_id)
daily_visits: at_clinic
double_of(): shared
`
