// Arguments of commands that need no database.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { ourCatalog } from '../sql/subject.ts'
import { SHOPS_SQL_DIR } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { command, expectCommand } from './in-process.ts'
import { sqlFolder } from './sql-folder.ts'
import { skip } from '../harness/skip.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

/** In a process. The exit code is that of the first command of a pipe. */
function shell(line: string): { readonly code: number | null; readonly stderr: string } {
  const args = ['-o', 'pipefail', '-c', `'${process.execPath}' '${MAIN}' ${line}`]
  const { status, stderr } = spawnSync('bash', args)
  return { code: status, stderr: stderr.toString() }
}

describe('the command line', () => {
  const folder = temporaryFolder()

  for (const name of ['serve', 'watch', 'demo', 'check', 'run', 'explain', 'new', 'list']) {
    it(`shows the help of ${name} on stdout, examples first`, () => {
      const stdout = new RegExp(`^Examples:\n +[^]*svodka ${name}[^]*Usage: svodka ${name}`)
      return expectCommand(`${name} --help`, {}, { stdout })
    })
  }

  for (const line of ['--help', 'help', 'help help']) {
    it(`shows its help on stdout for ${line}, examples first`, () => {
      const stdout = /^Examples:\n +svodka check[^]*Usage: svodka[^]*Exit codes: 0 ok/
      return expectCommand(line, {}, { stdout })
    })
  }

  it('loads no package of the gateway before it serves', () => {
    const coverage = join(folder, 'coverage')
    const env = { ...process.env, NODE_V8_COVERAGE: coverage }
    spawnSync(process.execPath, [MAIN, '--version'], { env })
    const [name = ''] = readdirSync(coverage)
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8'))
    const packages = result.map(({ url }: { url: string }) => url.split('/node_modules/')[1])
    const loaded = new Set(packages.map((path = '') => path.split('/')[0]))
    expect([...loaded].filter(one => one !== '')).to.deep.equal(['commander'])
  })

  it('ends without an error if its output is closed', () => {
    for (const line of ['--help', 'list']) {
      expect(shell(`${line} | true`)).to.deep.equal({ code: 0, stderr: '' })
    }
  })

  it('ends with 3 and a line on stderr if its output cannot be written', function () {
    if (!existsSync('/dev/full')) skip(this, 'there is no /dev/full')
    const { code, stderr } = shell('list > /dev/full')
    expect(code).to.equal(3)
    expect(stderr).to.match(/^The output cannot be written: ENOSPC[^\n]*\n$/)
  })

  writeFileSync(join(folder, 'empty'), ' \n')
  writeFileSync(join(folder, 'impossible'), 'ключ\n')
  const usual = {
    DATABASE_URL: 'postgres://svodka:hidden@127.0.0.1:1/svodka',
    SQL_DIR: sqlFolder('reports/finance/debts', 'reports/finance/profit_loss'),
    // why: author commands do not use it, so its errors must not matter
    PORT: 'many',
  }
  const serving = { ...usual, PORT: '0' }
  const broken = sqlFolder('reports/finance/debts', 'bad/bracket-open', 'bad/now')
  const noOrganizations = { ...usual, SQL_DIR: sqlFolder('reports/finance/debts') }
  rmSync(join(noOrganizations.SQL_DIR, 'access/organizations.sql'))
  const noAccess = { ...serving, SQL_DIR: sqlFolder('reports/finance/debts') }
  rmSync(join(noAccess.SQL_DIR, 'access'), { recursive: true })

  const REFUSALS: ReadonlyArray<
    readonly [line: string, code: number, stderr: RegExp, settings?: NodeJS.ProcessEnv]
  > = [
    ['', 2, /^Examples:[^]*Usage: svodka/],
    ['sevre', 2, /unknown command 'sevre'[^]*Did you mean serve\?/],
    ['help sevre', 2, /unknown command 'sevre'[^]*Did you mean serve\?/],
    ['new finance/rent --force', 2, /unknown option '--force'/],
    ['run debts --org large --json --psql', 2, /'--psql' cannot be used with option '--json'/],
    ['run debts --org large --json --format csv', 2, /'--format <name>' cannot be used with/],
    ['run debts --org large --format doc', 2, /'doc' is invalid. Allowed choices are json,/],
    ['run debts', 2, /^Found neither --org nor --key-file, expected an organization: /],
    [
      'run debts --org large --key-file x',
      2,
      /'--key-file <file>' cannot be used with option '--org/,
    ],
    ['run debts --key-file IN/none', 2, /^--key-file cannot be read: ENOENT: .*none.\.\n$/],
    ['run debts --key-file IN/empty', 2, /^--key-file: \S+empty contains no key, expected/],
    ['run debts --key-file IN/impossible', 2, /^--key-file: \S+impossible contains no key/],
    ['run debts --org large --from may', 2, /^Parameter from is "may"; expected a date/],
    ['run debts --org large --to may', 2, /^Parameter to is "may"; expected a date/],
    ['run debts --org large --from 2026-13-01', 2, /^Parameter from is "2026-13-01"; expected a/],
    ['run debts --org large --from 2026-02-01 --to 2026-01-01', 2, /2026-02-01/],
    ['run debts --org large', 3, /^The database cannot be queried: (?!.*hidden).*ECONNREFUSED/],
    ['explain debts --org large', 3, /^The database cannot be queried: (?!.*hidden).*ECONNREFUSED/],
    ['run profit_los --org large', 2, /^There is no definition "profit_los", did you mean "prof/],
    ['run nothing_like_it --org large', 2, /^There is no definition "nothing_like_it", `svodka l/],
    ['run now --org large', 1, /^\S+\/now\.sql:\d+: .*now/, { ...usual, SQL_DIR: broken }],
    ['check profit_los', 2, /^There is no definition "profit_los", did you mean "profit_loss"\?/],
    [
      'check --org large',
      2,
      /\/organizations\.sql: no file that loads \(svodka check says why\), /,
      noOrganizations,
    ],
    [
      'run debts --org large',
      2,
      /\/organizations\.sql: no file that loads \(svodka check says why\), [^]*key-file/,
      noOrganizations,
    ],
    [
      'serve',
      2,
      /^2 settings are wrong:\n {2}DATABASE_URL is not set[^]*PORT is/,
      { PORT: 'many' },
    ],
    [
      'serve',
      2,
      /^2 settings are wrong:\n {2}PORT is[^\n]*\n {2}REPORT_POOL_SIZ is not a setting: is REPORT_POOL_SIZE meant\?\n$/,
      { ...usual, REPORT_POOL_SIZ: '1' },
    ],
    ['serve', 1, /bracket-open\.sql:22: [^]*now\.sql:\d+: /, { ...serving, SQL_DIR: broken }],
    ['watch', 1, /organization_by_key\.sql: no such file, expected/, noAccess],
  ]
  for (const [line, code, stderr, settings = usual] of REFUSALS) {
    it(`rejects ${line || 'no command'} with ${code} and prints ${stderr.source}`, () =>
      expectCommand(line.replace('IN', folder), settings, { code, stderr }))
  }

  it('lists all definitions without a database, reports first, in aligned columns', async () => {
    const { code, stdout, stderr } = await command('list')
    expect([code, stderr]).to.deep.equal([0, ''])
    const codes = stdout.split('\n').map(line => line.split(' ')[0])
    const { reports, metricsFiles } = ourCatalog()
    const files = [...metricsFiles.values()].map(({ name }) => name)
    expect(codes).to.deep.equal(['code', ...reports.keys(), ...files, ''])
    expect(stdout).to.match(
      /^code +group +fresh +budget +tuned +title\n[^]*\nprofit_loss +finance {4}60s\/3600s {2}\d+, seq 1\.0 MiB, spill 0 KiB +\d{4}-\d\d-\d\d {2}Прибыли и убытки\n/,
    )
  })

  it('lists definitions as JSON', async () => {
    const { stdout } = await command('list --json', { SQL_DIR: SHOPS_SQL_DIR })
    const all = JSON.parse(stdout) as Array<Record<string, unknown>>
    expect(all).to.deep.include({
      kind: 'report',
      code: 'receipts',
      title: 'Чеки',
      group: 'sales',
      metrics: null,
      file: 'test/fixtures/shops/sql/reports/sales/receipts.sql',
      freshSeconds: { open: 2, closed: 3600 },
      budget: null,
      tuned: null,
    })
    const time = all.find(({ code }) => code === 'metrics/time')
    const title = 'Часов в среднем, Дней, Вес'
    expect(time).to.include({ kind: 'metrics', title, group: null })
  })

  it('lists definitions that load, prints findings of others, and ends with 1', () => {
    const stderr = /^Not in the list:\n\S+\/bracket-open\.sql:22: /
    const expected = { code: 1, stdout: /^code .*\ndebts .*\n$/, stderr }
    return expectCommand('list', { SQL_DIR: broken, PORT: 'many' }, expected)
  })
})
