// Checks a second product: the printed tenancy of its tables, and child tables with one organization's rows.
import { writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestDatabase } from '../harness/test-database.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { command } from '../commands/in-process.ts'
import { CLINICS_SCHEMA, CLINICS_TENANCY } from './clinics.ts'

const DATABASE = 'svodka_clinics_check'

const HEAD = `/*---
title: Приёмы
columns:
  name: { title: Приём, type: text }
  amount: { title: Сумма, type: integer, total: sum(amount) }
key: [name]
summary: Всего {amount}.
---*/
`
const GOOD = `${HEAD}select visits.visit_id::text as name, sum(visit_lines.quantity) as amount
from visits
join visit_lines on visit_lines.visit_id = visits.visit_id
join drugs on drugs.drug_id = visit_lines.drug_id
where visits.at_clinic = :organization_id
  and visits.started_at >= :period_start_at
  and visits.started_at < :period_end_at
group by visits.visit_id
order by visits.visit_id
`
/** The text does not show that this counts the lines of all clinics. */
const OPAQUE = GOOD.replace('Приёмы', 'Строки').replace(
  'on visit_lines.visit_id = visits',
  'on abs(visit_lines.visit_id) >= visits',
)

describe('another product', function () {
  this.timeout(60_000)
  let settings: Record<string, string>

  before(async () => {
    const { change, urlFor } = await createTestDatabase(DATABASE, CLINICS_SCHEMA)
    await change(
      'grant usage on schema lab to svodka_reports; grant select on visits, visit_lines, drugs to svodka_reports',
    )
    settings = {
      DATABASE_URL: urlFor('svodka_reports', 'replica'),
      KEYS_DATABASE_URL: urlFor('postgres', 'replica'),
      PROBE_DATABASE_URL: urlFor('svodka_probe', 'replica'),
    }
  })

  function folder(files: Readonly<Record<string, string>>): string {
    const directory = join(temporaryFolder(), 'sql')
    for (const name of ['access', 'reports/visits'])
      mkdirSync(join(directory, name), { recursive: true })
    const all = {
      'access/organization_by_key.sql': `select hash as key_hash, clinic_keys.clinic as organization_id, zone as time_zone, true as entitled
from clinic_keys join clinics on clinics.clinic_no = clinic_keys.clinic where hash = any (:key_hashes)`,
      'access/organizations.sql':
        'select clinic_no as organization_id, lower(title) as nickname, zone as time_zone from clinics',
      'tenancy.yaml': CLINICS_TENANCY,
      ...files,
    }
    for (const [name, text] of Object.entries(all)) writeFileSync(join(directory, name), text)
    return directory
  }

  it('has no finding if it is correct, and prints the tenancy of each table', async () => {
    const SQL_DIR = folder({ 'reports/visits/by_visit.sql': GOOD })
    const { stdout, stderr } = await command('check', { ...settings, SQL_DIR })
    expect(stdout).to.equal('')
    expect(stderr).to.include(
      'child: visit_lines via visits\nshared: drugs\ntenant (at_clinic): visits\n1 definition in ',
    )
  })

  it('finds errors in tenancy.yaml, and tables of unknown tenancy', async () => {
    const SQL_DIR = folder({
      'reports/visits/by_visit.sql': GOOD,
      'tenancy.yaml': 'drug: shared\n',
    })
    const { stdout } = await command('check', { ...settings, SQL_DIR })
    expect(stdout).to.match(/tenancy\.yaml:1: there is no table "drug", did you mean "drugs"\?\n/)
    expect(stdout).to.match(/by_visit\.sql:12: drugs is neither of an organization nor shared, /)
  })

  it('hides rows of other organizations in child tables', async () => {
    const SQL_DIR = folder({ 'reports/visits/lines.sql': OPAQUE })
    const { stdout, stderr } = await command('check lines', { ...settings, SQL_DIR })
    expect(stderr).to.include('Not proved for lines: that visit_lines is read for')
    expect(stdout).to.match(/lines\.sql:11: the result includes rows of visit_lines of other/)
  })
})
