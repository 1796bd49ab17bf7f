// How a command finds its definition, organization and period: `--psql` shows all three.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { localDate } from '../../src/definitions/calendar.ts'
import { DEMO_ORGANIZATIONS } from '../sql/subject.ts'
import { svodka } from '../harness/svodka.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { expectCommand, standbySettings } from './in-process.ts'
import { sqlFolder } from './sql-folder.ts'

const YEAR = localDate(Date.now(), 'Europe/Moscow').slice(0, 4)
const [{ id: BUSINESS }, { id: VLADIVOSTOK }] = DEMO_ORGANIZATIONS

describe('arguments of run and explain', () => {
  const folder = temporaryFolder()
  const SQL_DIR = sqlFolder('reports/finance/debts', 'metrics/finance', 'metrics/tasks')
  const DEBTS = join(SQL_DIR, 'reports/finance/debts.sql')
  let settings: Record<string, string>

  before(async () => {
    settings = await standbySettings(SQL_DIR)
    for (const key of ['sk_demo_vladivostok', 'sk_demo_revoked', 'sk_nobody']) {
      writeFileSync(join(folder, key), `${key}\n`)
    }
  })

  const FOUND: ReadonlyArray<readonly [line: string, found: string]> = [
    [
      'debts --org business',
      `debts of organization ${BUSINESS} from ${YEAR}-01-01 to ${YEAR}-12-31`,
    ],
    ['metrics/finance --org vladivostok', `metrics/finance of organization ${VLADIVOSTOK} from`],
    ['tasks --key-file sk_demo_vladivostok', `metrics/tasks of organization ${VLADIVOSTOK} from`],
    [`finance/debts --org ${BUSINESS}`, `debts of organization ${BUSINESS} from`],
    [`${DEBTS} --org business --to 2099-02-28`, `debts of .* from ${YEAR}-01-01 to 2099-02-28`],
    ['debts --org large --from 2025-02-01 --to 2025-02-28', 'from 2025-02-01 to 2025-02-28'],
    ['debts --org business --set counterparty=12', "[^]*set counterparty '\\\\'12\\\\'::bigint'"],
    ['tasks --org vladivostok', "[^]*date::timestamp at time zone \\\\'Asia/Vladivostok\\\\'"],
  ]
  for (const [line, found] of FOUND) {
    it(`select for ${line.replace(SQL_DIR, '...')}: ${found}`, () =>
      expectCommand(`run ${line.replace('sk_', `${folder}/sk_`)} --psql`, settings, {
        stdout: new RegExp(`^-- .*${found}`),
        stderr: 'Paste it into: psql "$DATABASE_URL"\n',
      }))
  }

  const REFUSALS: ReadonlyArray<readonly [line: string, stderr: RegExp]> = [
    ['--org buisness', /^There is no organization "buisness", did you mean "business"\?\n$/],
    ['--org 77', /"77", expected an id, or one of business, empty, large, vladivostok\n$/],
    ['--key-file sk_demo_revoked', /^The key is unknown or revoked\.\n$/],
    [
      '--org business --set counterparti=1',
      /found no parameter of debts with a value, did you mean "counterparty"\?/,
    ],
    [
      '--org business --set counterparty',
      /--set counterparty: found no parameter of debts with a value/,
    ],
    [
      '--org business --set counterparty=x',
      /^Parameter counterparty .* is "x"; expected a whole number\.\n$/,
    ],
    ['--key-file sk_nobody', /^The key is unknown or revoked\.\n$/],
  ]
  for (const [line, stderr] of REFUSALS) {
    it(`reject ${line}`, () =>
      expectCommand(`run debts ${line.replace('sk_', `${folder}/sk_`)}`, settings, {
        code: 2,
        stderr,
      }))
  }

  it('are checked before the database is used', async () => {
    const { SQL_DIR } = settings
    // why: a closed port
    const unreachable = { SQL_DIR, DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    await expectCommand('run tasks --org large --format csv', unreachable, {
      code: 2,
      stderr: /^tasks is a file of metrics, and --format is for reports only/,
    })
    const ofDatabase = { code: 3, stderr: /^The database cannot be queried: .*ECONNREFUSED/ }
    // why: the default dates depend on the organization's time zone
    for (const date of ['--from 2999-01-01', '--to 1900-01-01']) {
      await expectCommand(`run tasks --org large ${date}`, unreachable, ofDatabase)
    }
    const broken = join(SQL_DIR!, 'reports/finance/organizations.sql')
    writeFileSync(broken, 'select')
    await expectCommand('run tasks --org large', unreachable, ofDatabase)
    rmSync(broken)
  })

  it('include a key on stdin, with a warning if the API responds 402', async () => {
    const args = ['run', 'tasks', '--key-file', '-']
    const { code, stderr } = await svodka(args, settings, 'sk_demo_start\n')
    expect(code).to.equal(0)
    expect(stderr).to.contain('the API responds 402 module_locked')
  })

  it('are followed by the role and the setting if organizations cannot be read', async () => {
    const reports = settings['DATABASE_URL']
    for (const KEYS_DATABASE_URL of ['', `${reports}?application_name=x`]) {
      await expectCommand(
        'run debts --org large',
        { ...settings, KEYS_DATABASE_URL },
        {
          code: 3,
          stderr:
            /^The database cannot be queried: permission denied for \w+ \w+\. .* read at KEYS_DATABASE_URL, by default DATABASE_URL, as role svodka_reports: expected/,
        },
      )
    }
  })
})
