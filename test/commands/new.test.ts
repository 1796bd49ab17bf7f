// What `svodka new` makes loads and answers what its oracle says, before its author changes a word.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { CommandError } from '../../src/commands/exit.ts'
import { makeDefinition } from '../../src/commands/new.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import type { MetricsDefinition, ReportDefinition } from '../../src/definitions/definition.ts'
import { naiveMetrics, naiveReport } from '../bench/sql/naive-definitions.ts'
import { expectSameMetrics, expectSameReport } from '../sql/compare.ts'
import type { MetricsOracle, ReportOracle } from '../sql/oracles/oracle.ts'
import { rawRows, runMetrics, runReport } from '../sql/run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, questions } from '../sql/subject.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DEFINITION = 'sql/reports/finance/rent_by_month.sql'
const ORACLE = 'test/sql/oracles/reports/finance/rent_by_month'
const METRICS = 'sql/metrics/rent.sql'
const METRICS_ORACLE = 'test/sql/oracles/metrics/rent'

const COMPILER =
  '--outDir dist --rootDir . --module nodenext --target es2023 --rewriteRelativeImportExtensions --types node --skipLibCheck'.split(
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

function compiledIn<T>(folder: string, oracle: string): Promise<T> {
  return import(pathToFileURL(join(folder, 'dist', `${oracle}.js`)).href) as Promise<T>
}

function refusal(name: string, folder: string): string {
  try {
    makeDefinition(name, { SQL_DIR: join(folder, 'sql') }, folder)
  } catch (error) {
    if (error instanceof CommandError) return error.message
    throw error
  }
  return 'none'
}

describe('svodka new', function () {
  this.timeout(60_000)
  const folder = checkout()
  let definition: ReportDefinition
  let metrics: MetricsDefinition
  const compiled = <T>(oracle: string) => compiledIn<T>(folder, oracle)

  before(() => {
    makeDefinition('finance/rent_by_month', { SQL_DIR: join(folder, 'sql') }, folder)
    makeDefinition('metrics/rent', { SQL_DIR: join(folder, 'sql') }, folder)
    const { reports, metricsFiles } = loadCatalog(join(folder, 'sql'))
    const made = [reports.get('rent_by_month'), metricsFiles.get('rent')] as const
    if (made[0] === undefined || made[1] === undefined) throw new Error('they are not there')
    ;[definition, metrics] = [made[0], made[1]]
    for (const oracle of [ORACLE, METRICS_ORACLE]) {
      execFileSync('node_modules/.bin/tsc', ['--ignoreConfig', ...COMPILER, `${oracle}.ts`], {
        cwd: folder,
      })
    }
  })

  it('makes a definition that loads, in the group that was named', () => {
    expect(definition.group).to.equal('finance')
    expect(definition.file).to.equal(DEFINITION)
  })

  it('makes an oracle that agrees with it', async () => {
    const { oracle } = await compiled<{ oracle: ReportOracle }>(ORACLE)
    const client = await connectAsReports()
    for (const { id, timeZone } of DEMO_ORGANIZATIONS.slice(0, 3)) {
      const rows = await rawRows(client, id)
      for (const { question } of questions(Date.now, timeZone)) {
        const answer = await runReport(client, definition, id, question)
        expectSameReport(definition, answer, oracle(rows, question))
      }
    }
    await client.end()
  })

  it('makes a file of metrics, in no group', () => {
    expect(metrics.file).to.equal(METRICS)
    const codes = metrics.metrics.map(({ code }) => code)
    expect(codes).to.deep.equal(['rent_operations', 'rent_amount', 'rent_incoming'])
  })

  it('makes an oracle that agrees with the metrics', async () => {
    const { oracle } = await compiled<{ oracle: MetricsOracle }>(METRICS_ORACLE)
    const client = await connectAsReports()
    for (const { id, timeZone } of DEMO_ORGANIZATIONS.slice(0, 3)) {
      const rows = await rawRows(client, id)
      for (const { question } of questions(Date.now, timeZone)) {
        const answer = await runMetrics(client, metrics, id, question)
        expectSameMetrics(metrics.metrics, answer, oracle(rows, question))
      }
    }
    await client.end()
  })

  it('makes all that the tests ask for: a naive version is optional', () => {
    expect(naiveReport(definition)).to.equal(undefined)
    expect(naiveMetrics(metrics)).to.equal(undefined)
  })

  it('makes its definition though another one is broken, and takes no code from it', () => {
    const broken = join(folder, 'sql/reports/finance/broken.sql')
    writeFileSync(broken, 'select')
    expect(refusal('deals/beside_broken', folder)).to.equal('none')
    expect(refusal('deals/broken', folder)).to.contain('has the code "broken" already')
    rmSync(broken)
  })

  it('says in a line what the file system refuses, and leaves nothing half made', () => {
    const long = 'a'.repeat(300)
    expect(refusal(`deals/${long}`, folder)).to.match(
      /cannot be made \(ENAMETOOLONG\), and nothing/,
    )
    const file = join(folder, 'test/sql/oracles/reports/taken')
    writeFileSync(file, '')
    expect(refusal('taken/by_file', folder)).to.match(/by_file\.ts cannot be made \(E\w+\)/)
    expect(existsSync(join(folder, 'sql/reports/taken'))).to.equal(false)
  })

  it('overwrites nothing', () => {
    const before = readFileSync(join(folder, DEFINITION), 'utf8')
    expect(refusal('finance/rent_by_month', folder)).to.equal(
      `${join(folder, DEFINITION)} has the code "rent_by_month" already, expected another.`,
    )
    expect(refusal('deals/rent_by_month', folder)).to.contain(
      'has the code "rent_by_month" already',
    )
    expect(readFileSync(join(folder, DEFINITION), 'utf8')).to.equal(before)
  })

  for (const name of [
    'rent',
    'Finance/rent',
    'finance/rent.sql',
    '../finance/rent',
    'finance/',
    'metrics/7',
  ]) {
    it(`says what it expected instead of ${name}`, () => {
      expect(refusal(name, folder)).to.match(
        /^Found "[^"]+", expected GROUP\/CODE|^Found the file of metrics "7", expected/,
      )
    })
  }

  it('makes the definition alone where the definitions are another product’s', () => {
    const other = temporaryFolder()
    cpSync('sql', join(other, 'sql'), { recursive: true })
    makeDefinition('deals/by_weekday', { SQL_DIR: join(other, 'sql') }, folder)
    expect(existsSync(join(other, 'sql/reports/deals/by_weekday.sql'))).to.equal(true)
    expect(existsSync(join(folder, 'test/sql/oracles/reports/deals/by_weekday.ts'))).to.equal(false)
  })

  it('says which template is missing', () => {
    const other = temporaryFolder()
    for (const part of ['access', 'reports']) {
      mkdirSync(join(other, 'sql', part), { recursive: true })
      cpSync(`sql/${part}`, join(other, 'sql', part), { recursive: true })
    }
    expect(refusal('deals/by_weekday', other)).to.contain('new/report.sql: no such file, expected')
  })
})
