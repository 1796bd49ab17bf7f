// Files that `svodka new` creates load and agree with their oracles, before any change.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { Client } from 'pg'
import { CommandError } from '../../src/model/command-error.ts'
import { makeDefinition } from '../../src/author/commands/new.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { expectSameMetrics, expectSameReport } from '../sql/compare.ts'
import type { MetricsOracle, ReportOracle } from '../sql/oracles/oracle.ts'
import { rawRows, runMetrics, runReport } from '../sql/run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, questions } from '../sql/subject.ts'
import { createTestDatabase } from '../harness/test-database.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { writeFiles } from '../harness/write-files.ts'
import { command, expectCommand, standbySettings } from './in-process.ts'
import { sqlFolder } from './sql-folder.ts'

const DEFINITION = 'sql/reports/finance/rent_by_month.sql'
const ORACLE = 'test/sql/oracles/reports/finance/rent_by_month'
const METRICS_ORACLE = 'test/sql/oracles/metrics/rent'

const COMPILER =
  '--ignoreConfig --outDir dist --rootDir . --module nodenext --target es2023 --rewriteRelativeImportExtensions --types node --skipLibCheck'.split(
    ' ',
  )

/** The parts of a checkout that new files need. */
function checkout(): string {
  const folder = temporaryFolder()
  for (const part of [
    'sql',
    'test/sql/oracles',
    'src/model/terms.ts',
    'src/model/currency.ts',
    'package.json',
    'tsconfig.json',
  ]) {
    cpSync(part, join(folder, part), { recursive: true })
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  return folder
}

describe('svodka new', () => {
  const folder = checkout()
  let client: Client

  before(async () => {
    client = await connectAsReports()
    make('finance/rent_by_month')
    make('metrics/rent')
    const made = [`${ORACLE}.ts`, `${METRICS_ORACLE}.ts`]
    execFileSync('node_modules/.bin/tsc', [...COMPILER, ...made], { cwd: folder })
  })
  after(() => client.end())

  function make(name: string): string[] {
    return makeDefinition(name, join(folder, 'sql'), folder)
  }

  function refusal(name: string): string {
    try {
      make(name)
    } catch (error) {
      if (error instanceof CommandError) return `${error.exitCode}: ${error.message}`
      throw error
    }
    return 'none'
  }

  async function compiled<T>(oracle: string): Promise<T> {
    const path = pathToFileURL(join(folder, 'dist', `${oracle}.js`)).href
    return ((await import(path)) as { oracle: T }).oracle
  }

  it('creates a report and metrics that load, and oracles that agree with them', async () => {
    const { reports, metricsFiles } = await loadCatalog(join(folder, 'sql'), parseSql)
    const report = reports.get('rent_by_month')!
    const file = metricsFiles.get('rent')!
    expect([report.group, report.file]).to.deep.equal(['finance', DEFINITION])
    expect(file.metrics.map(({ code }) => code)).to.include('rent_amount')
    const ofReport = await compiled<ReportOracle>(ORACLE)
    const ofMetrics = await compiled<MetricsOracle>(METRICS_ORACLE)
    for (const { id, timeZone } of DEMO_ORGANIZATIONS.slice(0, 3)) {
      const rows = await rawRows(client, id)
      for (const { question } of questions(Date.now, timeZone)) {
        const answer = await runReport(client, report, id, question)
        expectSameReport(report, answer, ofReport(rows, question))
        const values = await runMetrics(client, file, id, question)
        expectSameMetrics(file.metrics, values, ofMetrics(rows, question))
      }
    }
  })

  const REFUSALS: ReadonlyArray<readonly [name: string, said: string]> = [
    [
      'finance/rent_by_month',
      `2: ${join(folder, DEFINITION)} already exists, expected a new code.`,
    ],
    ['metrics/rent', 'metrics/rent.sql already exists, expected a new code.'],
    ['metrics/7', '2: Found the file of metrics "7", expected '],
    ...['rent', 'Finance/rent', 'finance/rent.sql', '../finance/rent', 'finance/'].map(
      name => [name, `2: Found "${name}", expected GROUP/CODE such as finance/`] as const,
    ),
  ]
  for (const [name, said] of REFUSALS) {
    it(`overwrites nothing and does not create ${name}`, () => {
      const before = readFileSync(join(folder, DEFINITION), 'utf8')
      expect(refusal(name)).to.contain(said)
      expect(readFileSync(join(folder, DEFINITION), 'utf8')).to.equal(before)
    })
  }

  it("creates only the definition from another product's templates, and prints next steps", async () => {
    const SQL_DIR = sqlFolder('reports/finance/debts')
    cpSync('sql/new', join(SQL_DIR, 'new'), { recursive: true })
    writeFileSync(join(SQL_DIR, 'reports/finance/broken.sql'), 'select')
    const path = join(SQL_DIR, 'reports/deals/by_weekday.sql')
    await expectCommand(
      'new deals/by_weekday',
      { SQL_DIR },
      {
        stdout: `${path}\n${path.replace('.sql', '.oracle.sql')}\n`,
        stderr:
          /^Next:\n {2}npx svodka watch +serve it.*\n.*run by_weekday --org <id> (?![^]*make )/,
      },
    )
    expect(existsSync(path)).to.equal(true)
  })

  it("creates an oracle that agrees, also by instants and in the organization's time zone", async () => {
    const SQL_DIR = sqlFolder('reports/finance/debts')
    const settings = await standbySettings(SQL_DIR)
    for (const name of ['requests/by_month', 'metrics/inbox']) {
      expect(await command(`new ${name} --table requests`, settings)).to.include({ code: 0 })
      const code = name.replace('requests/', '')
      const { stdout } = await command(`diff ${code} --oracle`, settings)
      expect(stdout).to.match(/^equal, \S+ .* 4 organizations x 6 periods\n$/)
    }
  })

  it('takes a timestamp for UTC, as frameworks store it', async () => {
    const { urlFor } = await createTestDatabase(
      'svodka_new_utc',
      `create table accounts (id bigint primary key, key bytea);
      create table orders (account_id bigint not null references accounts, created_at timestamp(6) not null);
      insert into accounts values (1);
      insert into orders select 1, timestamp '2026-01-01 02:30' + n * interval '25 min' from generate_series(1, 9000) as n;
      grant select on all tables in schema public to svodka_reports`,
    )
    const SQL_DIR = writeFiles(join(temporaryFolder(), 'sql'), {
      'access/organization_by_key.sql':
        "select key as key_hash, id as organization_id, 'Asia/Omsk' as time_zone, true as entitled from accounts where key = any (:key_hashes)",
      'access/organizations.sql':
        "select id as organization_id, 'one' as nickname, 'Asia/Omsk' as time_zone from accounts",
    })
    const settings = { SQL_DIR, DATABASE_URL: urlFor('svodka_reports', 'replica') }
    await command('new sales/orders --table orders', settings)
    const { code, stdout } = await command('check orders --strict', settings)
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: '' })
    const of = '--org one --from 2026-02-01 --to 2026-02-28'
    const { rows } = JSON.parse((await command(`run orders ${of} --json`, settings)).stdout)
    // from 18:00 UTC, six hours before UTC's own month, which has 1,613
    expect(rows).to.deep.equal([{ month: '2026-02', records: 1612 }])
  })

  it('creates a folder with access files and names to fill in', async () => {
    const SQL_DIR = join(temporaryFolder(), 'shop/sql')
    const made = [
      'reports/sales/orders',
      'reports/sales/orders.oracle',
      'access/organization_by_key',
      'access/organizations',
    ]
    const tenancy = join(SQL_DIR, 'tenancy.yaml')
    const paths = [...made.map(name => join(SQL_DIR, `${name}.sql`)), tenancy]
    const stderr = /^Next:\n {2}\S+key\.sql +fill in/
    await expectCommand(
      'new sales/orders',
      { SQL_DIR },
      { stdout: `${paths.join('\n')}\n`, stderr },
    )
    expect(readFileSync(paths[0]!, 'utf8')).to.include('where your_table.created_on >=')
    expect(readFileSync(tenancy, 'utf8')).to.match(/^# To which.*\nyour_table: organization_id\n$/)
    await expectCommand(
      'new metrics/sales',
      { SQL_DIR },
      {
        stdout: `${join(SQL_DIR, 'metrics/sales.sql')}\n${join(SQL_DIR, 'metrics/sales.oracle.sql')}\n`,
        stderr: /^Next:/,
      },
    )
    const loaded = await loadCatalog(SQL_DIR, parseSql)
    expect([...loaded.reports.keys(), ...loaded.metricsFiles.keys()]).to.deep.equal([
      'orders',
      'sales',
    ])
    const { stdout, stderr: summary } = await command('check', { SQL_DIR })
    expect(stdout + summary).not.to.match(/demo's|operations|make /)
  })

  it('reports a folder that cannot be created', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const stderr =
      /^\S+\/file\/sql cannot be created \(ENOTDIR\): expected a short name in a writable folder/
    await expectCommand('new a/b', { SQL_DIR: join(file, 'sql') }, { code: 3, stderr })
  })

  it('needs a database for --table', () =>
    expectCommand(
      'new a/b --table orders',
      { SQL_DIR: join(temporaryFolder(), 'sql') },
      { code: 3, stderr: /^There is no database, expected DATABASE_URL/ },
    ))
})
