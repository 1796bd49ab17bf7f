// Tables of every kind, through a gateway: each clinic gets its own rows.
import { join } from 'node:path'
import { expect } from 'chai'
import { asker } from '../harness/ask.ts'
import { gatewayOfBlock } from '../harness/shops-gateway.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { createTestDatabase } from '../harness/test-database.ts'
import { writeFiles } from '../harness/write-files.ts'
import { CLINICS, rowsOf, SCHEMA, TENANCY } from './clinics.ts'
import { statementsOf } from './statements.ts'

/** Headed by their codes. */
const REPORTS = statementsOf('tables')

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
    REPORTS.map(({ heading, text }) => [`reports/tables/${heading}.sql`, HEAD + text]),
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

  for (const { heading: code } of REPORTS) {
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
