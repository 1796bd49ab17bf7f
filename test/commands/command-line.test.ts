// Arguments and what they lead to, where no database is asked.
import { spawn } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { command } from './in-process.ts'
import { sqlFolder } from './sql-folder.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))
const NODE = `'${process.execPath}' '${MAIN}'`

/** A process. The exit code is that of the first part of a pipe. */
function shell(
  line: string,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-o', 'pipefail', '-c', `${NODE} ${line}`])
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', chunk => (stdout += chunk))
    child.stderr.on('data', chunk => (stderr += chunk))
    child.once('error', reject)
    child.once('close', code => resolve({ code, stdout, stderr }))
  })
}

describe('the command line', () => {
  for (const name of ['serve', 'watch', 'demo', 'check', 'run', 'explain', 'new', 'list']) {
    it(`shows the help of ${name} on stdout, examples first`, async () => {
      const { code, stdout } = await command([name, '--help'])
      expect(code).to.equal(0)
      expect(stdout).to.match(
        new RegExp(`^Examples:\\n +[^]*svodka ${name}[^]*Usage: svodka ${name}`),
      )
    })
  }

  for (const line of ['--help', 'help', 'help help']) {
    it(`shows its help on stdout for ${line}, examples first`, async () => {
      const { code, stdout, stderr } = await command(line.split(' '))
      expect([code, stderr]).to.deep.equal([0, ''])
      expect(stdout).to.match(/^Examples:\n +svodka check[^]*Usage: svodka[^]*Exit codes: 0 ok/)
    })
  }

  it('ends quietly where nobody reads its output', async () => {
    for (const line of ['--help', 'list']) {
      expect(await shell(`${line} | true`)).to.include({ code: 0, stderr: '' })
    }
  })

  it('ends with 3 and a line where its output cannot be written', async function () {
    if (!existsSync('/dev/full')) this.skip()
    const { code, stderr } = await shell('list > /dev/full')
    expect(code).to.equal(3)
    expect(stderr).to.match(/^The output cannot be written: ENOSPC[^\n]*\n$/)
  })

  describe('refuses, before it asks a database,', () => {
    const folder = temporaryFolder()
    const PATHS: Record<string, string> = {
      missing: join(folder, 'missing'),
      empty: join(folder, 'empty'),
      impossible: join(folder, 'impossible'),
      broken: sqlFolder('reports/finance/debts', 'museum/bracket-open', 'museum/now'),
      withoutOrganizations: sqlFolder('reports/finance/debts'),
      withoutAccess: sqlFolder('reports/finance/debts'),
    }
    writeFileSync(PATHS['empty']!, ' \n')
    writeFileSync(PATHS['impossible']!, 'ключ\n')
    rmSync(join(PATHS['withoutOrganizations']!, 'access/organizations.sql'))
    rmSync(join(PATHS['withoutAccess']!, 'access'), { recursive: true })
    const SETTING = /^([A-Z_]+)=(.*)$/
    // why: PORT is of no use to authors, and must not stand in their way
    const settings = {
      DATABASE_URL: 'postgres://svodka:hidden@127.0.0.1:1/svodka',
      SQL_DIR: sqlFolder('reports/finance/debts', 'reports/finance/profit_loss'),
      PORT: 'many',
    }

    const REFUSALS: ReadonlyArray<readonly [line: string, code: number, stderr: RegExp]> = [
      ['', 2, /^Examples:[^]*Usage: svodka/],
      ['sevre', 2, /unknown command 'sevre'[^]*Did you mean serve\?/],
      ['help sevre', 2, /unknown command 'sevre'[^]*Did you mean serve\?/],
      ['new finance/rent --force', 2, /unknown option '--force'/],
      ['run debts --org 1 --org 2', 2, /option '--org .* It was "1" before: expected it once/],
      ['run debts --from 1 --from 2', 2, /option '--from .*expected it once/],
      ['run debts --to 1 --to 2', 2, /option '--to .*expected it once/],
      ['run debts --key-file 1 --key-file 2', 2, /option '--key-file .*expected it once/],
      ['run debts --org large --json --psql', 2, /'--psql' cannot be used with option '--json'/],
      ['run debts --org large --json --format csv', 2, /'--format <name>' cannot be used with/],
      ['run debts --org large --format doc', 2, /'doc' is invalid. Allowed choices are json,/],
      ['run debts', 2, /^Found neither --org nor --key-file, expected an organization: /],
      ['run debts --org large --key-file x', 2, /^Found both --org and --key-file, expected one/],
      ['run debts --key-file missing', 2, /^--key-file is "\S+missing", .* \(ENOENT\): expected/],
      ['run debts --key-file empty', 2, /^--key-file: \S+empty holds no key, expected/],
      ['run debts --key-file impossible', 2, /^The key in \S+ is unknown or revoked\.\n$/],
      ['run debts --org large --from may', 2, /^Parameter from is "may"; expected a date/],
      ['run debts --org large --to may', 2, /^Parameter to is "may"; expected a date/],
      ['run debts --org large --from 2026-13-01', 2, /^Parameter from is "2026-13-01"; expected a/],
      ['run debts --org large --from 2026-02-01 --to 2026-01-01', 2, /2026-02-01/],
      ['run profit_los --org large', 2, /^There is no definition "profit_los", did you mean "prof/],
      [
        'run nothing_like_it --org large',
        2,
        /^There is no definition "nothing_like_it", `svodka l/,
      ],
      ['run now --org large SQL_DIR=broken', 1, /^\S+\/sql\/reports\/museum\/now\.sql:\d+: .*now/],
      [
        'check profit_los',
        2,
        /^There is no definition "profit_los", did you mean "profit_loss"\?\n$/,
      ],
      ['serve', 2, /PORT is "many"/],
      ['serve DATABASE_URL=', 2, /^2 settings are wrong:\n {2}DATABASE_URL is not set[^]*PORT is/],
      ['serve PORT=0 SQL_DIR=broken', 1, /bracket-open\.sql:16: [^]*now\.sql:\d+: /],
      ['watch PORT=0 SQL_DIR=withoutAccess', 1, /organization_by_key\.sql: no such file, expected/],
      [
        'check --org large SQL_DIR=withoutOrganizations',
        2,
        /^--org cannot be found: sql\/access\/organizations\.sql is not there, expected the SQL/,
      ],
      [
        'run debts --org large SQL_DIR=withoutOrganizations',
        2,
        /^\S+\/sql\/access\/organizations\.sql: no such file, expected [^]* run and explain take --key/,
      ],
    ]
    for (const [line, expected, pattern] of REFUSALS) {
      it(`${line || 'no command'}, with ${expected}`, async () => {
        const words = line.split(' ').map(word => PATHS[word] ?? word)
        const args = words.filter(word => word !== '' && !SETTING.test(word))
        const more = words.flatMap(word => {
          const [, name, value] = SETTING.exec(word) ?? []
          return name === undefined ? [] : [[name, PATHS[value!] ?? value]]
        })
        const all = { ...settings, ...Object.fromEntries(more) }
        const { code, stdout, stderr } = await command(args, all)
        expect(stderr).to.match(pattern)
        expect([code, stdout]).to.deep.equal([expected, ''])
      })
    }

    for (const name of ['run', 'explain']) {
      it(`and says that ${name} cannot ask it, with 3 and without its password`, async () => {
        const { code, stdout, stderr } = await command([name, 'debts', '--org', 'large'], settings)
        expect([code, stdout]).to.deep.equal([3, ''])
        expect(stderr).to.match(/^The database cannot be asked: .*ECONNREFUSED/)
        expect(stderr).to.not.contain('hidden')
      })
    }
  })
})
