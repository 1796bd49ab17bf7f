// What `svodka new` makes loads and answers what its oracle says, before its author changes a word.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { Client } from 'pg'
import { CommandError } from '../../src/serve/command-line/exit.ts'
import { makeDefinition } from '../../src/author/commands/new.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { expectSameMetrics, expectSameReport } from '../sql/compare.ts'
import type { MetricsOracle, ReportOracle } from '../sql/oracles/oracle.ts'
import { rawRows, runMetrics, runReport } from '../sql/run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, questions } from '../sql/subject.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { expectCommand } from './in-process.ts'
import { sqlFolder } from './sql-folder.ts'

const DEFINITION = 'sql/reports/finance/rent_by_month.sql'
const ORACLE = 'test/sql/oracles/reports/finance/rent_by_month'
const METRICS_ORACLE = 'test/sql/oracles/metrics/rent'

const COMPILER =
  '--ignoreConfig --outDir dist --rootDir . --module nodenext --target es2023 --rewriteRelativeImportExtensions --types node --skipLibCheck'.split(
    ' ',
  )

/** What of a checkout the new files need. */
function checkout(): string {
  const folder = temporaryFolder()
  for (const part of [
    'sql',
    'test/sql/oracles',
    'src/model/terms.ts',
    'package.json',
    'tsconfig.json',
  ]) {
    cpSync(part, join(folder, part), { recursive: true })
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  return folder
}

describe('svodka new', function () {
  this.timeout(60_000)
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
    return makeDefinition(name, { SQL_DIR: join(folder, 'sql') }, folder)
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

  it('makes a report and metrics that load, and oracles that agree with them', async () => {
    const { reports, metricsFiles } = loadCatalog(join(folder, 'sql'))
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

  it('leaves nothing half made where the file system refuses', () => {
    expect(refusal(`deals/${'a'.repeat(300)}`)).to.match(/^3: \S+ cannot be made \(ENAMETOOLONG\)/)
    writeFileSync(join(folder, 'test/sql/oracles/reports/taken'), '')
    expect(refusal('taken/by_file')).to.match(/by_file\.ts cannot be made \(E\w+\), and nothing/)
    expect(existsSync(join(folder, 'sql/reports/taken'))).to.equal(false)
  })

  const TAKEN = `2: ${join(folder, DEFINITION)} has the code "rent_by_month" already, expected another.`
  const REFUSALS: ReadonlyArray<readonly [name: string, said: string]> = [
    ['finance/rent_by_month', TAKEN],
    ['deals/rent_by_month', TAKEN],
    ['deals/broken', 'broken.sql has the code "broken" already, expected another.'],
    ['metrics/rent', 'metrics/rent.sql is there already, expected a new code.'],
    ['metrics/7', '2: Found the file of metrics "7", expected '],
    ...['rent', 'Finance/rent', 'finance/rent.sql', '../finance/rent', 'finance/'].map(
      name => [name, `2: Found "${name}", expected GROUP/CODE such as finance/`] as const,
    ),
  ]
  for (const [name, said] of REFUSALS) {
    it(`overwrites nothing, and makes no ${name}`, () => {
      const before = readFileSync(join(folder, DEFINITION), 'utf8')
      writeFileSync(join(folder, 'sql/reports/finance/broken.sql'), 'select')
      expect(refusal(name)).to.contain(said)
      expect(readFileSync(join(folder, DEFINITION), 'utf8')).to.equal(before)
    })
  }

  it("makes the definition alone where the definitions are another product's, and says what is next", async () => {
    const SQL_DIR = sqlFolder('reports/finance/debts')
    await expectCommand(
      'new deals/by_weekday',
      { SQL_DIR },
      {
        code: 3,
        stderr: /^\S+\/new\/report\.sql: no such file, expected the template/,
      },
    )
    cpSync('sql/new', join(SQL_DIR, 'new'), { recursive: true })
    writeFileSync(join(SQL_DIR, 'reports/finance/broken.sql'), 'select')
    const path = join(SQL_DIR, 'reports/deals/by_weekday.sql')
    await expectCommand(
      'new deals/by_weekday',
      { SQL_DIR },
      {
        stdout: `${path}\n`,
        stderr: /^Next:\n {2}make watch +serve it.*\n.*svodka run by_weekday --org (?![^]*oracle)/,
      },
    )
    expect(existsSync(path)).to.equal(true)
  })
})
