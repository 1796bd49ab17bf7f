// The output of `svodka run`: the gateway's result, formatted for the terminal.
import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { addDays } from '../../src/definitions/calendar.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog } from '../sql/subject.ts'
import { gatewayOfBlock } from '../harness/shops-gateway.ts'
import { LAST_TWELVE_MONTHS } from '../harness/last-twelve-months.ts'
import { sharedShops, shopsEnvironment, SHOPS_SQL_DIR } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { command, expectCommand, standbySettings } from './in-process.ts'
import { replaceIn } from './sql-folder.ts'
import { skip } from '../harness/skip.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

describe('svodka run', () => {
  const folder = temporaryFolder()
  const YEAR = `--key-file ${join(folder, 'key')} --from 2026-01-01 --to 2026-12-31`
  let settings: NodeJS.ProcessEnv
  let primaryUrl: string

  const world = gatewayOfBlock(async () => {
    writeFileSync(join(folder, 'key'), 'key of shop 1\n')
    const shops = await sharedShops()
    primaryUrl = shops.primaryUrl
    settings = shopsEnvironment(shops)
    return settings
  })

  it('shows a report as a table, and its database on stderr', () =>
    expectCommand(`run receipts ${YEAR}`, settings, {
      stdout:
        /^Чеки, 2026 год: 1, Europe\/Moscow\n\nНомер .*\n─.*\n101 +2026-01-01 {2}2026-01 {2}2026-01-01 00:00:00 .* 100,50.₽ [^]*\nЗа 2026 год продано 4 товара на 90.071.992.547.509,94.₽/,
      stderr: /^4 rows in \d+ ms from the replica at DATABASE_URL\n$/,
    }))

  it('shows metrics as titles and values', () =>
    expectCommand(`run time ${YEAR}`, settings, {
      stdout:
        /^metrics\/time, 2026 год: 1, Europe\/Moscow\n\nЧасов в среднем +10,3 ч\nДней +\d+ дн\.\nВес +3,625\n$/,
      stderr: /^3 metrics in \d+ ms from/,
    }))

  for (const [line, path] of [
    ['receipts --json', 'reports/receipts?'],
    ['receipts_by_month --json', 'reports/receipts_by_month?'],
    ['receipts --format csv', 'reports/receipts?format=csv&'],
    ['metrics/sales --json', 'metrics?codes=revenue,receipts,average,share_of_returns&'],
  ]) {
    it(`prints the API's response body, byte for byte, for ${line}`, async () => {
      const { stdout } = await command(`run ${line} ${YEAR}`, settings)
      const { status, text } = await world.ask(`/${path}from=2026-01-01&to=2026-12-31`)
      expect([status, stdout]).to.deep.equal([200, text])
    })
  }

  it('prints all of a large report', async () => {
    const { stdout, stderr } = await command(`run register ${YEAR}`, settings)
    expect(stderr).to.match(/^100,000 rows in /)
    const lines = stdout.split('\n')
    expect(lines).to.have.length(100_000 + 9)
    expect(lines.at(-4)).to.match(/^Итого +50 000 500,00 ₽$/)
  })

  it('ends without an error if its output is closed', () => {
    const line = `'${process.execPath}' '${MAIN}' run register ${YEAR} | head -n 1`
    const { status, stderr } = spawnSync('bash', ['--norc', '-o', 'pipefail', '-c', line], {
      env: settings,
    })
    expect(stderr.toString()).to.match(
      /^100,000 rows in \d+ ms from the replica at DATABASE_URL\n$/,
    )
    expect(status).to.equal(0)
  })

  const FAULTS: ReadonlyArray<readonly [file: string, said: string]> = [
    ['sales/receipts', '35: column receipts.nte does not exist'],
    ['faults/division', '5: column "vlue" does not exist'],
    ['faults/float', '5: column "value" is float8, expected int2 or '],
    ['faults/too_many_rows', '\\d+: found more rows, expected at most maxRows, \\d+'],
    ['faults/slow', '\\d+: timed out, expected a result within \\d+'],
  ]
  for (const [file, said] of FAULTS) {
    it(`names the file and line of a fault, and ends with 1: ${said}`, () => {
      const SQL_DIR = join(temporaryFolder(), 'sql')
      cpSync(SHOPS_SQL_DIR, SQL_DIR, { recursive: true })
      const reports = join(SQL_DIR, 'reports')
      replaceIn(join(reports, 'sales/receipts.sql'), 'receipts.note,', 'receipts.nte as note,')
      replaceIn(join(reports, 'faults/division.sql'), 'total: sum(value)', 'total: sum(vlue)')
      const stderr = new RegExp(`^${reports}/${file}\\.sql:${said}`)
      const line = `run ${file.replace(/.*\//, '')} ${YEAR}`
      return expectCommand(line, { ...settings, SQL_DIR }, { code: 1, stderr })
    })
  }

  it('ends with 3 on a writable server, and names the setting that allows it', async () => {
    const primary = { ...settings, DATABASE_URL: primaryUrl }
    for (const name of ['run', 'explain']) {
      await expectCommand(`${name} receipts ${YEAR}`, primary, {
        code: 3,
        stderr: /is not in recovery; ALLOW_PRIMARY=true lets it in/,
      })
      const allowed = { ...primary, ALLOW_PRIMARY: 'true' }
      expect((await command(`${name} receipts ${YEAR}`, allowed)).code).to.equal(0)
    }
  })

  it('executes nothing that the gateway refuses, as explain', async () => {
    const stderr = /reports\/faults\/writes\.sql:\d+: notice_and_count\(\) is volatile, /
    for (const name of ['run', 'explain'])
      await expectCommand(`${name} writes ${YEAR}`, settings, { code: 1, stderr })
  })
})

describe('svodka run --psql', () => {
  const { from, to } = LAST_TWELVE_MONTHS
  const LAST_YEAR = `--org vladivostok --from ${from} --to ${to}`
  const { reports, metricsFiles } = ourCatalog()

  it("prints the SQL of the file over the organization's rows, a variable for each placeholder, and no secret", async () => {
    const settings = await standbySettings()
    const { stdout, stderr } = await command(`run stock_turnover ${LAST_YEAR} --psql`, settings)
    const { text } = reports.get('stock_turnover')!.source
    const added = /pg_catalog\.|\w+ as not materialized \(select \* from .* is not null\), /g
    expect(stdout.replaceAll(added, '')).to.contain(text.slice(text.indexOf('---*/') + 5).trim())
    const used = new Set(text.match(/(?<!:):(?:period|as_of|today|time|warehouse)\w*/g))
    const set = stdout.match(/^\\set \w+/gm)?.map(line => line.replace('\\set ', ':'))
    expect(set).to.have.members([':organization_id', ...used])
    const { password } = new URL(settings['DATABASE_URL']!)
    expect(password).to.match(/\w{8}/)
    expect(stdout + stderr).not.to.contain(password)
  })

  for (const code of ['profit_loss', 'operations', 'metrics/finance']) {
    it(`returns the same rows of ${code} in psql as in the gateway`, async function () {
      if (spawnSync('psql', ['--version']).status !== 0) {
        skip(this, 'there is no psql: install postgresql-client')
      }
      const settings = await standbySettings()
      const { stdout: input } = await command(`run ${code} ${LAST_YEAR} --psql`, settings)
      const options = '-X -q -A -t -F ¦ -P null=∅ -v ON_ERROR_STOP=1'.split(' ')
      const psql = spawnSync('psql', [...options, settings['DATABASE_URL']!], { input })
      expect(psql.stderr.toString()).to.equal('')

      const [, { id: organizationId, timeZone }] = DEMO_ORGANIZATIONS
      const definition = reports.get(code) ?? metricsFiles.get(code.replace('metrics/', ''))!
      const { statement } = definition.source
      const client = await connectAsReports()
      const { rows } = await client.query<Array<string | null>>({
        text: statement.text('uuid'),
        values: statement.values({
          organizationId,
          period: { start: from, end: addDays(to, 1) },
          today: new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date()),
          now: new Date().toISOString(),
          timeZone,
        }),
        rowMode: 'array',
        types: { getTypeParser: () => (value: string) => value },
      })
      await client.end()
      const expected = rows.map(row => row.map(field => field ?? '∅').join('¦'))
      expect(psql.stdout.toString().trimEnd().split('\n')).to.deep.equal(expected)
    })
  }
})
