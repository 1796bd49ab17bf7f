// Lines of tenancy.yaml that do not fit the database, as `svodka check` prints them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { command } from '../commands/in-process.ts'
import { examplesIn } from '../harness/findings-table.ts'
import type { Ended } from '../harness/svodka.ts'
import { createTestDatabase } from '../harness/test-database.ts'
import { folderOf } from './bad-definitions.ts'

const SCHEMA = `
create schema lab;
create table clinics (clinic_no integer primary key, title text not null, zone text not null);
create table clinic_keys (hash bytea primary key, clinic integer not null references clinics);
create table patients (patient integer primary key, clinic_no integer not null references clinics);
create table visits (
    patient integer references patients, visit_id bigint primary key, at_clinic integer not null references clinics, sent_by integer references clinics,
    started_at timestamptz not null, code text not null);
create table visit_lines (visit_id bigint not null references visits, line smallint not null, drug_id integer not null);
create table rooms (room_id integer primary key, clinic integer not null references clinics);
create table lab.samples (sample_id bigint primary key, clinic_no integer not null references clinics);
create table drugs (drug_id integer primary key, name text not null, added_by integer references clinics);
create table marks (mark_id integer primary key, at_clinic integer);
create table closed_rooms (room_id integer primary key, closed_by integer not null references clinics);
create view drug_names as select name from drugs;
create materialized view visit_days as select started_at from visits;
create view last_days as select max(started_at) as started_at from visit_days;
create function owner_of(id bigint) returns integer immutable security definer language sql return 1;
create function lab.doubled(n integer) returns integer stable language plpgsql as 'begin return n * 2; end';
create function rounded(n numeric) returns numeric immutable language sql as 'select round(n)';
create function counted() returns bigint immutable language sql begin atomic; select count(*) from drugs; end;
create table secrets (id integer primary key);
insert into clinics values (1, 'North', 'Europe/Moscow'), (2, 'South', 'Asia/Omsk');
insert into visits select null, n, n % 2 + 1, null, timestamptz '2026-03-01' + n * interval '1 hour', 'V' from generate_series(1, 60) as n;
insert into drugs values (1, 'Water', null);`

/** Further lines, in the last of which is the finding. */
const LINES = examplesIn(String.raw`
right
  visits: at_clinic
  visits: sent_by
  visit_lines: via visits (visit_id = visit_id)
  secrets: shared
  lab.samples: clinic_no
  rooms: { tenancy: shared, because: One list of rooms. }
  drug_names: { tenancy: shared, because: Names. }
there is no table "visit", did you mean "visits"?
  visit: at_clinic
there is no table "lab.sample", did you mean "lab.samples"?
  lab.sample: clinic_no
there is no table "samples", did you mean "lab.samples"?
  samples: clinic_no
there is no table "nothing", expected one of the product, with its schema
  nothing: shared
visits has no column "at_clinics", did you mean "at_clinic"?
  visits: at_clinics
visits.code is text, expected integer as the organization's id is
  visits: code
v has no column "drug_ids", did you mean "drug_id"?
  v: { table: visit_lines, tenancy: via visits (visit_id = visit_id), columns: [line, drug_ids] }
visit_lines has no column "visitid", did you mean "visit_id"?
  visit_lines: via visits (visitid = visit_id)
visits has no column "visits_id", did you mean "visit_id"?
  visit_lines: via visits (visit_id = visits_id)
rooms is shared, but svodka tenancy proposes "clinic", expected that, or because: with the reason
  rooms: shared
visit_lines is shared, but svodka tenancy proposes "via visits (visit_id = visit_id)", expected that
  visit_lines: shared
drugs is shared, but svodka tenancy proposes "added_by", expected that
  drugs: shared
samples is shared, but svodka tenancy proposes "clinic_no", expected that
  lab.samples: shared
marks is shared, but svodka tenancy proposes "at_clinic" (by its name, without a foreign key), expected that
  marks: shared
visit_days is shared, but a view over visits, expected its column, or because: with the reason
  visit_days: shared
last_days is shared, but a view over visits, expected
  last_days: shared
closed_rooms is shared, but refers to clinics, expected its column, or because: with the reason
  closed_rooms: shared
visits.patient refers to patients, expected a column of clinics
  rooms: clinic
    visits: patient
`)

const DEFINITION = `/*---
title: Строки
columns:
  name: { title: Имя, type: text }
  amount: { title: Число, type: integer, total: sum(amount) }
key: [name]
summary: Всего {amount}.
---*/
select 'все' as name, count(*) as amount
from visits
where :period_end > :period_start
order by name
`

describe('tenancy.yaml and the database', function () {
  this.timeout(60_000)
  let settings: Record<string, string>

  before(async () => {
    const { change, urlFor } = await createTestDatabase('svodka_catalog_faults', SCHEMA)
    await change(
      'grant usage on schema lab to svodka_reports; grant select on visits, visit_lines, rooms, drugs, lab.samples, marks, drug_names, visit_days, last_days to svodka_reports; grant select (room_id) on closed_rooms to svodka_reports',
    )
    settings = {
      DATABASE_URL: urlFor('svodka_reports', 'replica'),
      KEYS_DATABASE_URL: urlFor('postgres', 'replica'),
      PROBE_DATABASE_URL: urlFor('svodka_probe', 'replica'),
    }
  })

  async function checked(tenancy: string): Promise<Ended> {
    const SQL_DIR = folderOf({ 'reports/a/x.sql': DEFINITION }, `${tenancy}\n`)
    const access = {
      organization_by_key: `select hash as key_hash, clinic_keys.clinic as organization_id, zone as time_zone, true as entitled
from clinic_keys join clinics on clinics.clinic_no = clinic_keys.clinic where hash = any (:key_hashes)`,
      organizations:
        'select clinic_no as organization_id, lower(title) as nickname, zone as time_zone from clinics',
    }
    for (const [name, text] of Object.entries(access))
      writeFileSync(join(SQL_DIR, `access/${name}.sql`), text)
    const ended = await command('check', { ...settings, SQL_DIR })
    return { ...ended, stdout: ended.stdout.replaceAll(`${SQL_DIR}/`, '') }
  }

  for (const { text, findings } of LINES) {
    const tenancy = text.includes('visits:') ? text : `visits: at_clinic\n${text}`
    const [finding] = findings
    it(`${finding === undefined ? 'fit' : 'do not fit'}: ${text}`, async () => {
      const { stdout } = await checked(tenancy)
      if (finding === undefined) expect(stdout).to.equal('')
      else {
        expect(stdout).to.include(`tenancy.yaml:${tenancy.split('\n').length}: ${finding}`)
        expect(stdout.split('\n').filter(line => line.includes('tenancy.yaml'))).to.have.length(1)
      }
    })
  }

  it('are not proved for functions that may read rows', async () => {
    const functions = ['owner_of', 'lab.doubled', 'rounded', 'counted'].map(
      one => `${one}(): shared`,
    )
    const { stderr } = await checked(['visits: at_clinic', ...functions].join('\n'))
    const names = [...stderr.matchAll(/^Not proved: whose rows (.*) reads$/gm)].map(
      ([, name]) => name,
    )
    expect(names).to.deep.equal(['counted()', 'lab.doubled()', 'owner_of()'])
  })

  it('are reported once, not by each definition that reads the table', async () => {
    const { stdout } = await checked('visits: at_clinics')
    expect(stdout).to.match(/^tenancy\.yaml:1: .*\n$/)
  })
})
