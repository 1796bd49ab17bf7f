// Lines of tenancy.yaml that do not fit the database, as `svodka check` prints them.
import { expect } from 'chai'
import { command } from '../commands/in-process.ts'
import { findingsTable } from '../harness/findings-table.ts'
import { productSql } from '../harness/fixtures.ts'
import type { Ended } from '../harness/svodka.ts'
import { createTestDatabase } from '../harness/test-database.ts'
import { writeFiles } from '../harness/write-files.ts'
import { folderOf } from './corpus.ts'

const SCHEMA = productSql('clinics-with-faults')

/** Files, and the findings at their lines. */
const FILES = `
right
  visits: at_clinic
    visit_lines: via visits (visit_id = visit_id)
    secrets: shared
    lab.samples: clinic_no
    rooms: { tenancy: shared, because: One list of rooms. }
    line_days: via visits (visit = visit_id)
    drug_names: { tenancy: shared, because: Names. }
  visits: sent_by
1: there is no table "visit", did you mean "visits"?
2: there is no table "lab.sample", did you mean "lab.samples"?
3: there is no table "samples", expected one of the product, with its schema
4: there is no table "nothing", expected one of the product, with its schema
5: visits has no column "at_clinics", did you mean "at_clinic"?
  visit: at_clinic
    lab.sample: clinic_no
    samples: clinic_no
    nothing: shared
    visits: at_clinics
1: visits.code is text, expected integer as the organization's id is
  visits: code
2: v has no column "drug_ids", did you mean "drug_id"?
3: rooms is shared, but svodka tenancy proposes "clinic", expected that, or because: with the reason
4: drugs is shared, but svodka tenancy proposes "added_by", expected that
5: samples is shared, but svodka tenancy proposes "clinic_no", expected that
6: marks is shared, but svodka tenancy proposes "at_clinic" (by its name, without a foreign key), expected that
7: visit_days is shared, but a view, expected its column, or because: with the reason
8: last_days is shared, but a view, expected
9: closed_rooms is shared, but svodka tenancy proposes "closed_by", expected that
  visits: at_clinic
    v: { table: visit_lines, tenancy: via visits (visit_id = visit_id), columns: [line, drug_ids] }
    rooms: shared
    drugs: shared
    lab.samples: shared
    marks: shared
    visit_days: shared
    last_days: shared
    closed_rooms: shared
2: visit_lines has no column "visitid", did you mean "visit_id"?
  visits: at_clinic
    visit_lines: via visits (visitid = visit_id)
2: visits has no column "visits_id", did you mean "visit_id"?
  visits: at_clinic
    visit_lines: via visits (visit_id = visits_id)
2: visit_lines is shared, but svodka tenancy proposes "via visits (visit_id = visit_id)", expected that
  visits: at_clinic
    visit_lines: shared
2: line_days is shared, but a view, expected its column, or because:
  visits: at_clinic
    line_days: shared
2: visits.patient refers to patients, expected a column of clinics
  rooms: clinic
    visits: patient
`

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

describe('tenancy.yaml and the database', () => {
  let settings: Record<string, string>

  before(async () => {
    const { change, urlFor } = await createTestDatabase('svodka_catalog_faults', SCHEMA)
    await change(
      'grant usage on schema lab to svodka_reports; grant select on visits, visit_lines, rooms, drugs, lab.samples, marks, drug_names, visit_days, last_days, line_days, visit_samples, results, stays to svodka_reports; grant select (room_id) on closed_rooms to svodka_reports',
    )
    settings = {
      DATABASE_URL: urlFor('svodka_reports', 'replica'),
      KEYS_DATABASE_URL: urlFor('postgres', 'replica'),
      PROBE_DATABASE_URL: urlFor('svodka_probe', 'replica'),
    }
  })

  async function checked(tenancy: string, codes = ''): Promise<Ended> {
    const SQL_DIR = folderOf({ 'reports/a/x.sql': DEFINITION }, `${tenancy}\n`)
    writeFiles(SQL_DIR, {
      'access/organization_by_key.sql': `select hash as key_hash, clinic_keys.clinic as organization_id, zone as time_zone, true as entitled
from clinic_keys join clinics on clinics.clinic_no = clinic_keys.clinic where hash = any (:key_hashes)`,
      'access/organizations.sql':
        'select clinic_no as organization_id, lower(title) as nickname, zone as time_zone from clinics',
    })
    const ended = await command(`check ${codes}`.trim(), { ...settings, SQL_DIR })
    return { ...ended, stdout: ended.stdout.replaceAll(`${SQL_DIR}/`, '') }
  }

  findingsTable(FILES, async text => {
    const { stdout } = await checked(text)
    const lines = stdout.split('\n').slice(0, -1)
    const ofFile = lines.filter(line => line.startsWith('tenancy.yaml:'))
    // why: a definition may have findings, too, if a line that it needs has one
    return ofFile.length === 0 ? lines : ofFile.map(line => line.replace('tenancy.yaml:', ''))
  })

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
