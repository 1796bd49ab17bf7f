// What `svodka new` makes loads and answers what its oracle says, before its author changes a word.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { Client } from 'pg'
import { CommandError } from '../../src/commands/exit.ts'
import { makeDefinition } from '../../src/commands/new.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { expectSameMetrics, expectSameReport } from '../sql/compare.ts'
import type { MetricsOracle, ReportOracle } from '../sql/oracles/oracle.ts'
import { rawRows, runMetrics, runReport } from '../sql/run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, questions } from '../sql/subject.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { command } from './in-process.ts'
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
  for (const part of ['sql', 'test/sql/oracles', 'src/terms.ts', 'package.json', 'tsconfig.json']) {
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

  it('makes a report that loads, in the group that was named, and agrees with its oracle', async () => {
    const definition = loadCatalog(join(folder, 'sql')).reports.get('rent_by_month')!
    expect(definition).to.include({ group: 'finance', file: DEFINITION })
    const oracle = await compiled<ReportOracle>(ORACLE)
    for (const { id, timeZone } of DEMO_ORGANIZATIONS.slice(0, 3)) {
      const rows = await rawRows(client, id)
      for (const { question } of questions(Date.now, timeZone)) {
        const answer = await runReport(client, definition, id, question)
        expectSameReport(definition, answer, oracle(rows, question))
      }
    }
  })

  it('makes metrics that load, in no group, and agree with their oracle', async () => {
    const { file, metrics, ...rest } = loadCatalog(join(folder, 'sql')).metricsFiles.get('rent')!
    expect(file).to.equal('sql/metrics/rent.sql')
    const codes = metrics.map(({ code }) => code)
    expect(codes).to.deep.equal(['rent_operations', 'rent_amount', 'rent_incoming'])
    const oracle = await compiled<MetricsOracle>(METRICS_ORACLE)
    for (const { id, timeZone } of DEMO_ORGANIZATIONS.slice(0, 3)) {
      const rows = await rawRows(client, id)
      for (const { question } of questions(Date.now, timeZone)) {
        const answer = await runMetrics(client, { file, metrics, ...rest }, id, question)
        expectSameMetrics(metrics, answer, oracle(rows, question))
      }
    }
  })

  it('makes its definition though another one is broken, and takes no code from it', () => {
    const broken = join(folder, 'sql/reports/finance/broken.sql')
    writeFileSync(broken, 'select')
    expect(refusal('deals/beside_broken')).to.equal('none')
    expect(refusal('deals/broken')).to.contain('2: ').and.contain('has the code "broken" already')
    rmSync(broken)
  })

  it('says in a line what the file system refuses, and leaves nothing half made', () => {
    expect(refusal(`deals/${'a'.repeat(300)}`)).to.match(
      /^3: \S+ cannot be made \(ENAMETOOLONG\), and nothing/,
    )
    writeFileSync(join(folder, 'test/sql/oracles/reports/taken'), '')
    expect(refusal('taken/by_file')).to.match(/by_file\.ts cannot be made \(E\w+\)/)
    expect(existsSync(join(folder, 'sql/reports/taken'))).to.equal(false)
  })

  it('overwrites nothing', () => {
    const before = readFileSync(join(folder, DEFINITION), 'utf8')
    const taken = `2: ${join(folder, DEFINITION)} has the code "rent_by_month" already, expected another.`
    expect(refusal('finance/rent_by_month')).to.equal(taken)
    expect(refusal('deals/rent_by_month')).to.equal(taken)
    expect(refusal('metrics/rent')).to.match(
      /^2: \S+rent\.sql is there already, expected a new code/,
    )
    expect(readFileSync(join(folder, DEFINITION), 'utf8')).to.equal(before)
  })

  it('says what it expected instead of a wrong name', () => {
    for (const name of [
      'rent',
      'Finance/rent',
      'finance/rent.sql',
      '../finance/rent',
      'finance/',
    ]) {
      expect(refusal(name)).to.contain(`2: Found "${name}", expected GROUP/CODE such as`)
    }
    expect(refusal('metrics/7')).to.contain('2: Found the file of metrics "7", expected')
  })

  it("makes the definition alone where the definitions are another product's, and says what is next", async () => {
    const SQL_DIR = sqlFolder('reports/finance/debts')
    const missing = await command(['new', 'deals/by_weekday'], { SQL_DIR })
    expect(missing.code).to.equal(3)
    expect(missing.stderr).to.match(/^\S+\/new\/report\.sql: no such file, expected the template/)
    cpSync('sql/new', join(SQL_DIR, 'new'), { recursive: true })
    const { code, stdout, stderr } = await command(['new', 'deals/by_weekday'], { SQL_DIR })
    const path = join(SQL_DIR, 'reports/deals/by_weekday.sql')
    expect([code, stdout, existsSync(path)]).to.deep.equal([0, `${path}\n`, true])
    expect(stderr).to.match(/^Next:\n {2}make watch +serve it[^]*svodka run by_weekday --org/)
    expect(stderr).to.not.contain('oracle')
  })
})
