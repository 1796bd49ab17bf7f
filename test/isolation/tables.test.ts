// Tables of every kind, through a gateway: each clinic gets its own rows. Ids of every type, with three levels of children.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { load } from '../definitions/sql-folder.ts'
import { asker } from '../harness/ask.ts'
import { startGateway, type TestGateway } from '../harness/in-process-gateway.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { connectTo, createTestDatabase } from '../harness/test-database.ts'
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

describe('a table of organizations', function () {
  this.timeout(60_000)
  let gateway: TestGateway

  before(async () => {
    const schema = SCHEMA + CLINICS.map(rowsOf).join('')
    const { change, urlFor } = await createTestDatabase('isolation_tables', schema)
    await change(`
      grant usage on schema lab to svodka_reports;
      grant select on all tables in schema public, lab to svodka_reports;
      revoke select on tenants_names from svodka_reports;
      grant select (clinic_no, name) on tenants_names to svodka_reports;`)
    const SQL_DIR = join(temporaryFolder(), 'sql')
    for (const [name, text] of Object.entries(SQL)) {
      mkdirSync(dirname(join(SQL_DIR, name)), { recursive: true })
      writeFileSync(join(SQL_DIR, name), text)
    }
    gateway = await startGateway({
      DATABASE_URL: urlFor('svodka_reports', 'replica'),
      KEYS_DATABASE_URL: urlFor('postgres', 'replica'),
      PROBE_DATABASE_URL: urlFor('svodka_probe', 'replica'),
      SQL_DIR,
    })
    await gateway.ready()
  })

  after(() => gateway?.stop())

  for (const code of Object.keys(REPORTS)) {
    it(`is read for one organization: ${code}`, async () => {
      for (const clinic of CLINICS) {
        const ask = asker(gateway.url, `key ${clinic}`)
        const { status, json } = await ask(`/reports/${code}?from=2026-01-01&to=2026-12-31`)
        expect(status).to.equal(200)
        const owners = json.rows.map(({ mark }: { mark: string }) => mark[0])
        expect([...new Set(owners)]).to.deep.equal([String(clinic)])
      }
    })
  }
})

/** Two ids of each type; the first text ids are prefixes of the second. */
const ID_TYPES: ReadonlyArray<readonly [type: string, ids: readonly [string, string]]> = [
  ['uuid', ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000011']],
  ['smallint', ['1', '11']],
  ['bigint', ['9007199254740992', '9007199254740993']],
  ['numeric(6, 2)', ['1', '1.1']],
  ['text', ['A', `A'"\\`]],
  ['varchar(8)', ['ACME', 'ACME ']],
  ['bpchar', ['A', 'AC']],
  ['name', ['A', 'AC']],
  ['"char"', ['A', 'B']],
  ['bytea', ['\\x41', '\\x4143']],
  ['varbit', ['1', '10']],
  ['date', ['2026-01-02', '2026-02-01']],
  ['float8', ['0.1', '0.11']],
  ['inet', ['10.0.0.1', '10.0.0.0/8']],
  ['"My Ids".":Org; -- Id"', ['A', 'AC']],
  ['"My Ids"."$1::Name"', ['A', 'AC']],
]

describe('ids of organizations', function () {
  this.timeout(60_000)
  const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

  it('of any type keep children apart on three levels', async () => {
    const tables = ID_TYPES.map(
      ([type, ids], at) => `
create schema s${at};
create table s${at}.a (id ${type}, a int);
create table s${at}.b (a int, b int); create table s${at}.c (b int, c int); create table s${at}.d (c int, d text);
${ids
  .map(
    (id, n) =>
      `insert into s${at}.a values (${literal(id)}, ${n}); insert into s${at}.b values (${n}, ${n}); insert into s${at}.c values (${n}, ${n}); insert into s${at}.d values (${n}, ${literal(id)});`,
  )
  .join('\n')}`,
    )
    const { primaryUrl } = await createTestDatabase(
      'isolation_ids',
      `create schema "My Ids"; create domain "My Ids".":Org; -- Id" as varchar(5);
      create type "My Ids"."$1::Name" as enum ('AC', 'A');${tables.join('')}`,
    )
    const client = await connectTo(primaryUrl)
    for (const [at, [type, ids]] of ID_TYPES.entries()) {
      const tenancy = `s${at}.a: id\ns${at}.b: via a (a = a)\ns${at}.c: via b (b = b)\ns${at}.d: via c (c = c)`
      const files = {
        'tenancy.yaml': tenancy,
        'metrics/m.sql': `/*---\nmetrics: { d: { title: Д, format: integer } }\n---*/\nselect d from d`,
      }
      const { metricsFiles } = await load(files)
      const { statement } = metricsFiles.get('m')!
      for (const id of ids) {
        const { rows } = await client.query(statement.text(type.replace(/\(.*\)$/, '')), [id])
        expect(rows, type).to.deep.equal([{ d: id }])
      }
    }
    await client.end()
  })
})
