// Tables of every kind, through a gateway: each clinic gets its own rows.
import { join } from 'node:path'
import { expect } from 'chai'
import { asker } from '../harness/ask.ts'
import { gatewayOfBlock } from '../harness/shops-gateway.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { createTestDatabase } from '../harness/test-database.ts'
import { writeFiles } from '../harness/write-files.ts'
import { CLINICS, rowsOf, SCHEMA, TENANCY } from './clinics.ts'

/** Reports by code: each row's `mark` begins with the number of its clinic. */
const REPORTS: Readonly<Record<string, string>> = {
  generated: `select fee::text as mark from visits order by mark`,
  child: `select quantity::text as mark from visit_lines order by mark, line_no`,
  grandchild: `select right(note, 1) as mark from line_notes order by note_id`,
  great_grandchild: `select dose::text as mark from doses order by mark`,
  joined: `select dose::text as mark from visits join visit_lines using (visit_id) join line_notes using (visit_id, line_no) join doses using (note_id) where at_clinic = :organization_id order by mark`,
  composite_key: `select cents::text as mark from bill_lines order by mark`,
  composite_join: `select bill_lines.cents::text as mark from bills join bill_lines on bill_lines.bill_no = bills.bill_no order by mark`,
  other_schema: `select at_clinic::text as mark from lab_visits order by visit_id`,
  child_in_other_schema: `select trunc(value)::text as mark from results order by mark`,
  partitioned: `select right(what, 1) as mark from events order by day`,
  partition: `select right(what, 1) as mark from events_all order by day`,
  inherited: `select clinic_no::text as mark from marks order by mark_id`,
  heir: `select clinic_no::text as mark from old_marks order by mark_id`,
  view: `select fee_cents::text as mark from visit_fees order by mark`,
  view_of_child: `select (select fee_cents::text from visits where visits.visit_id = line_list.visit_id) as mark from line_list order by mark, line_no`,
  materialized_view: `select at_clinic::text as mark from daily_visits order by day`,
  quoted: `select "select"::text as mark from "Visit ""Fees"" of: all" order by mark`,
  some_columns: `select right(name, 1) as mark from tenants_names order by mark`,
}

const HEAD = `/*---
title: Приёмы
columns: { mark: { title: Знак, type: text } }
key: [mark]
summary: Всего {row_count}.
---*/
`

const SQL = {
  'access/organization_by_key.sql': `select hash as key_hash, clinic as organization_id, 'Europe/Moscow' as time_zone, true as entitled from clinic_keys where hash = any (:key_hashes)`,
  'tenancy.yaml': TENANCY,
  ...Object.fromEntries(
    Object.entries(REPORTS).map(([code, text]) => [`reports/tables/${code}.sql`, HEAD + text]),
  ),
}

describe('a table of organizations', () => {
  const world = gatewayOfBlock(async () => {
    const schema = SCHEMA + CLINICS.map(rowsOf).join('')
    const { change, urlFor } = await createTestDatabase('isolation_tables', schema)
    await change(`
      grant usage on schema lab to svodka_reports;
      grant select on all tables in schema public, lab to svodka_reports;
      revoke select on tenants_names from svodka_reports;
      grant select (clinic_no, name) on tenants_names to svodka_reports;`)
    const SQL_DIR = writeFiles(join(temporaryFolder(), 'sql'), SQL)
    return {
      DATABASE_URL: urlFor('svodka_reports', 'replica'),
      KEYS_DATABASE_URL: urlFor('postgres', 'replica'),
      PROBE_DATABASE_URL: urlFor('svodka_probe', 'replica'),
      SQL_DIR,
    }
  })

  for (const code of Object.keys(REPORTS)) {
    it(`is read for one organization: ${code}`, async () => {
      for (const clinic of CLINICS) {
        const ask = asker(world.gateway.url, `key ${clinic}`)
        const { status, json } = await ask(`/reports/${code}?from=2026-01-01&to=2026-12-31`)
        expect(status).to.equal(200)
        const owners = json.rows.map(({ mark }: { mark: string }) => mark[0])
        expect([...new Set(owners)]).to.deep.equal([String(clinic)])
      }
    })
  }
})
