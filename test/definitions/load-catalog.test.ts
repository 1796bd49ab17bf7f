import { expect } from 'chai'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import {
  CLOCK_WORDS,
  REJECTED_FUNCTIONS,
  SESSION_WORDS,
} from '../../src/definitions/rejected-functions.ts'
import { parseSql } from '../harness/parse-sql.ts'
import {
  ACCESS,
  load,
  METRICS,
  problemsOf,
  REPORT,
  reportProblems,
  reportWith,
} from './sql-folder.ts'

describe('load-catalog', () => {
  it('lists groups and codes in alphabetical order', async () => {
    const files = ['b/a', 'a/z', 'a/y-2'].map(file => [`reports/${file}.sql`, REPORT] as const)
    const { reports } = await load(Object.fromEntries(files))
    expect([...reports.keys()]).to.deep.equal(['y-2', 'z', 'a'])
  })

  it('reads durations and limits', async () => {
    const text = reportWith(
      'key: [shop]',
      'key: [shop]\nfresh: { open: 500ms, closed: 24h }\nstale: 2d\nmaxLag: 10m\ntimeout: 45s\nmaxRows: 5',
    )
    const { reports } = await load({ 'reports/shop/sales.sql': text })
    expect(reports.get('sales')).to.deep.include({
      key: ['shop'],
      freshSeconds: { open: 0.5, closed: 86_400 },
      staleSeconds: 172_800,
      maxLagMs: 600_000,
      timeoutMs: 45_000,
      maxRows: 5,
    })
  })

  it('ignores other files and names that begin with a dot', async () => {
    const files = {
      'reports/shop/sales.sql': REPORT,
      'reports/README.md': 'x',
      'reports/..data/x.sql': 'x',
      'reports/shop/.sales.sql': 'x',
      'README.md': 'x',
    }
    expect((await load(files)).reports.size).to.equal(1)
  })

  it('reports every problem of every file at once', async () => {
    const problems = await problemsOf({
      'access/organization_by_key.sql': 'select 1',
      'reports/shop/a.sql': REPORT.replace('from sales', 'from sale'),
      'reports/shop/b.sql': REPORT.replaceAll(':period_start', ':period_strat'),
      'metrics/shop.sql': 'select 1',
    })
    expect(problems).to.deep.equal([
      'sql/access/organization_by_key.sql:1: no :key_hashes, expected a condition on it',
      'sql/reports/shop/a.sql:10: sale is neither a table in sql/tenancy.yaml nor a CTE that is visible here, did you mean "sales"?',
      'sql/reports/shop/b.sql:12: unknown placeholder :period_strat, did you mean ":period_start"?',
      'sql/metrics/shop.sql:1: no front matter, expected the file to begin with /*---',
    ])
  })

  it('reports missing files', async () => {
    const error = await loadCatalog('/nowhere/sql', parseSql).catch(String)
    expect(error).to.contain('/nowhere/sql: no such folder')
    expect(await problemsOf({})).to.deep.equal([
      'sql: no definitions, expected sql/reports/<group>/<code>.sql',
    ])
    expect(
      await problemsOf({ 'access/organization_by_key.sql': '', 'metrics/a.sql': METRICS }),
    ).to.deep.equal([
      'sql/access/organization_by_key.sql: no such file, expected the SQL that finds organizations',
    ])
  })

  it('reads a file with a byte order mark, blank lines and carriage returns', async () => {
    const text = reportWith('title: Продажи', 'title: 5').replaceAll('\n', '\r\n')
    expect(await reportProblems(`\uFEFF\r\n${text}`)).to.deep.equal([
      '3: title: found 5, expected a title',
    ])
  })

  it('rejects every function of its lists, and functions that match a pattern', async () => {
    const names = REJECTED_FUNCTIONS.flatMap(({ names }) => names)
    const calls = names.map(name => `"${name.replaceAll('*', 'x')}"(1, 2)`)
    for (const call of [...calls, ...CLOCK_WORDS, ...SESSION_WORDS]) {
      const found = await reportProblems(reportWith('order by', `and ${call} = 1\norder by`))
      expect(found, call).to.have.lengthOf(1)
    }
  })

  it('allows the clock in the key look-up only, and no other rejected function there', async () => {
    const files = { 'reports/shop/sales.sql': REPORT }
    const access = (more: string) =>
      problemsOf({ ...files, 'access/organization_by_key.sql': `${ACCESS} ${more}` })
    expect(await access('and now() < expires_at;')).to.deep.equal([])
    expect(await access('and pg_advisory_lock(1)')).to.have.lengthOf(1)
    expect((await access('and organization_id = :organization_id')).join()).to.contain(
      'unknown placeholder',
    )
    for (const text of ['select now() as written_at', 'update heartbeat set written_at = null'])
      expect(await problemsOf({ ...files, 'replica/heartbeat.sql': text }), text).to.have.lengthOf(
        1,
      )
  })
})
