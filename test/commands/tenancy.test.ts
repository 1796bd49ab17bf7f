// `svodka tenancy` on a product with most forms of keys: each expected line is what its comment says.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parseTenancy } from '../../src/definitions/tenancy.ts'
import { productSql } from '../harness/fixtures.ts'
import { createTestDatabase } from '../harness/test-database.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { writeFiles } from '../harness/write-files.ts'
import { command, standbySettings } from './in-process.ts'

const SCHEMA = productSql('clinics-to-declare')

const ACCESS = {
  'access/organization_by_key.sql': `select hash as key_hash, clinic_keys.clinic as organization_id, zone as time_zone, true as entitled
from clinic_keys join clinics on clinics.clinic_no = clinic_keys.clinic where hash = any (:key_hashes)`,
}

const UNINDEXED =
  'No index, so a report that reads them from their parents reads all rows of comments (visit_id), hidden_lines (hidden_id), line_notes (visit_id, line_no), mark_words (mark_id), note_marks (note_id), referral_notes (referral_id).\n'

describe('svodka tenancy', () => {
  let settings: Record<string, string>
  let change: (sql: string) => Promise<void>

  before(async () => {
    const database = await createTestDatabase('svodka_tenancy', SCHEMA)
    change = database.change
    settings = { DATABASE_URL: database.urlFor('svodka_reports', 'replica') }
  })

  const folder = (files: Readonly<Record<string, string>>): string =>
    writeFiles(join(temporaryFolder(), 'sql'), files)

  const tenancyIn = (SQL_DIR: string) => command('tenancy', { ...settings, SQL_DIR })

  it('proposes a line for each table, and comments what a person must decide', async () => {
    const { stdout, stderr } = await tenancyIn(folder(ACCESS))
    expect(stdout.split('\n')).to.deep.equal([
      '# To which organization the rows of each table belong: sql/README.md of svodka, "Tenancy".',
      '# Organizations are public.clinics (clinic_no), by the access files.',
      'bill_lines: clinic',
      'bills: at_clinic',
      'clinics: clinic_no',
      'days: at_clinic',
      'line_notes: via visit_lines (visit_id = visit_id, line_no = line_no)',
      'marks: at_clinic   # by its name, without a foreign key',
      'note_marks: via line_notes (note_id = note_id)',
      'old_visits: at_clinic   # by its name, without a foreign key',
      'staff: { tenancy: at_clinic, columns: [ staff_id, at_clinic ] }',
      'visit_lines: via visits (visit_id = visit_id)',
      'visits: at_clinic',
      `lab."Odd, name": '"at clinic"'`,
      `lab."a, b": via visits ("x, y" = visit_id)`,
      `lab.true: '"shared"'`,
      'lab_visits: { table: lab.visits, tenancy: at_clinic }',
      '',
      '# To decide: remove the # of the line that holds.',
      '# comments: via visits (visit_id = visit_id)   # visit_id may be null',
      '# daily: at_clinic   # by its name, without a foreign key',
      '# drugs: shared   # no key to an organization',
      '# hidden_lines: via hidden (hidden_id = hidden_id)   # hidden is not decided or not readable',
      '# line_list: shared   # a view, expected its column',
      '# line_rooms: at_clinic   # by its name, without a foreign key',
      '# log: clinic   # by its name, without a foreign key',
      '# mark_words: via note_marks (mark_id = mark_id)   # more than 3 levels below a table of organizations',
      '# referral_notes: via referrals (referral_id = referral_id)   # referrals is not decided or not readable',
      '# referrals: from_clinic   # columns of several organizations: choose one',
      '# referrals: to_clinic   # columns of several organizations: choose one',
      '# visit_rooms: at_clinic   # by its name, without a foreign key',
      '',
    ])
    expect(stderr).to.equal(
      'Organizations are public.clinics (clinic_no), by the access files.\n' +
        '26 tables proposed; to decide: comments, daily, drugs, hidden_lines, line_list, line_rooms, log, mark_words, referral_notes, referrals, visit_rooms.\n' +
        UNINDEXED,
    )
  })

  it('finds the organizations by foreign keys, if there are no access files', async () => {
    const { stdout, stderr } = await tenancyIn(folder({}))
    expect(stdout).to.include('\nbills: at_clinic\n')
    expect(stderr).to.match(
      /^Organizations are public\.clinics \(clinic_no\), by most foreign keys\./,
    )
  })

  it('prints what loads, and keeps the lines and the decisions of a file', async () => {
    const first = (await tenancyIn(folder(ACCESS))).stdout
    expect(parseTenancy(first, 'sql/tenancy.yaml').findings).to.deep.equal([])
    const again = await tenancyIn(folder({ ...ACCESS, 'tenancy.yaml': first }))
    expect(again.stdout).to.equal(first)
    const decided = `# ours\nreferrals: to_clinic # decided\ndrugs: shared\nvisited: { table: visits, tenancy: at_clinic }\n`
    const { stdout } = await tenancyIn(folder({ ...ACCESS, 'tenancy.yaml': decided }))
    expect(stdout.startsWith(`${decided}bill_lines: clinic\n`)).to.equal(true)
    expect(stdout).to.include('\nreferral_notes: via referrals (referral_id = referral_id)\n')
    expect(stdout).to.include('\nvisit_lines: via visited (visit_id = visit_id)\n')
    expect(stdout).not.to.match(/^# drugs: |^visits: /m)
    expect(parseTenancy(stdout, 'sql/tenancy.yaml').findings).to.deep.equal([])
  })

  it('finds organizations in a schema that the role may not use', async () => {
    const linesIn = async () => (await tenancyIn(folder(ACCESS))).stdout.split('\n')
    const before = await linesIn()
    await change('create schema auth; alter table clinics set schema auth')
    const hidden = await linesIn()
    await change('alter table auth.clinics set schema public; drop schema auth')
    const expected = before.filter(line => line !== 'clinics: clinic_no')
    expected[1] = expected[1]!.replace('public.clinics', 'auth.clinics')
    expect(hidden).to.deep.equal(expected)
  })

  it("proposes the demo's own file", async () => {
    const SQL_DIR = folder({})
    cpSync('sql/access', join(SQL_DIR, 'access'), { recursive: true })
    const { stdout } = await command('tenancy', await standbySettings(SQL_DIR))
    const linesOf = (text: string) => text.split('\n').filter(line => /^\w/.test(line))
    expect(linesOf(stdout)).to.deep.equal(linesOf(readFileSync('sql/tenancy.yaml', 'utf8')))
  })

  it('is what svodka new writes', async () => {
    const SQL_DIR = folder(ACCESS)
    const { code } = await command('new visits/notes --table line_notes', { ...settings, SQL_DIR })
    expect(code).to.equal(0)
    expect(readFileSync(join(SQL_DIR, 'tenancy.yaml'), 'utf8')).to.match(
      /^# To which .*\n# Organizations are .*\nbill_lines: clinic\nbills: at/,
    )
  })

  it('rejects a file with errors, and needs a database', async () => {
    const broken = folder({ ...ACCESS, 'tenancy.yaml': 'visits: via' })
    const { code, stdout, stderr } = await tenancyIn(broken)
    expect([code, stdout]).to.deep.equal([1, ''])
    expect(stderr).to.match(/tenancy\.yaml:1: visits: found "via", expected a column/)
    const without = await command('tenancy', { SQL_DIR: broken })
    expect([without.code, without.stderr]).to.deep.equal([
      3,
      'There is no database, expected DATABASE_URL of a replica.\n',
    ])
  })
})
