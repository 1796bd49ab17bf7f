// How a command finds whom it asks, about what and over which days: `--psql` shows all three.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { DEMO_ORGANIZATIONS } from '../sql/subject.ts'
import { sharedCluster } from '../support/cluster.ts'
import { svodka } from '../support/svodka.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { command } from './in-process.ts'
import { sqlFolder } from './sql-folder.ts'

const YEAR = new Date().getFullYear()
const [BUSINESS, VLADIVOSTOK] = DEMO_ORGANIZATIONS

describe('the question of an author', function () {
  this.timeout(60_000)
  const SQL_DIR = sqlFolder(
    'reports/finance/debts',
    'reports/finance/profit_loss',
    'metrics/finance',
    'metrics/tasks',
  )
  const folder = temporaryFolder()
  let settings: Record<string, string>

  before(async () => {
    const { urlFor } = await sharedCluster()
    settings = {
      SQL_DIR,
      DATABASE_URL: urlFor('svodka_reports', 'replica'),
      KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
    }
    for (const key of ['sk_demo_vladivostok', 'sk_demo_revoked', 'sk_nobody']) {
      writeFileSync(join(folder, key), `${key}\n`)
    }
  })

  const ask = (line: string, more: Record<string, string> = {}) =>
    command(line.replace('sk_', `${folder}/sk_`).split(' '), { ...settings, ...more })

  const FOUND: ReadonlyArray<readonly [line: string, name: string, of: string, days: string]> = [
    ['profit_loss --org business', 'profit_loss', BUSINESS.id, `${YEAR}-01-01 to ${YEAR}-12-31`],
    ['metrics/finance --org vladivostok', 'metrics/finance', VLADIVOSTOK.id, `${YEAR}-01-01 to`],
    ['tasks --key-file sk_demo_vladivostok', 'metrics/tasks', VLADIVOSTOK.id, `${YEAR}-01-01 to`],
    [`finance/debts --org ${BUSINESS.id}`, 'debts', BUSINESS.id, `${YEAR}-01-01 to`],
    ['debts --org business --to 2099-02-28', 'debts', BUSINESS.id, `${YEAR}-01-01 to 2099-02-28`],
    [
      `${SQL_DIR}/reports/finance/debts.sql --org business --from 2025-02-01 --to 2025-02-28`,
      'debts',
      BUSINESS.id,
      '2025-02-01 to 2025-02-28',
    ],
  ]
  for (const [line, name, organization, days] of FOUND) {
    it(`finds the ${name}, the organization and the days of ${line.replace(SQL_DIR, '...')}`, async () => {
      const { code, stdout, stderr } = await ask(`run ${line} --psql`)
      expect([code, stderr]).to.deep.equal([0, 'Paste it into: psql "$DATABASE_URL"\n'])
      expect(stdout).to.contain(`-- ${name} of organization ${organization} from ${days}`)
    })
  }

  it("takes days in the organization's time zone", async () => {
    const { stdout } = await ask('run tasks --org vladivostok --psql')
    expect(stdout).to.contain("at time zone \\'Asia/Vladivostok\\'")
  })

  it('reads a key from stdin, and says what the API does not answer', async () => {
    const { code, stderr } = await svodka(
      ['run', 'tasks', '--key-file', '-'],
      settings,
      'sk_demo_start\n',
    )
    expect(code).to.equal(0)
    expect(stderr).to.contain('the API answers 402 module_locked to it')
  })

  const REFUSALS: ReadonlyArray<readonly [line: string, code: number, stderr: RegExp]> = [
    ['--org buisness', 2, /^There is no organization "buisness", did you mean "business"\?\n$/],
    [
      '--org 77',
      2,
      /^There is no organization "77", expected an id or one of business, empty, large, vladivostok\n$/,
    ],
    ['--key-file sk_demo_revoked', 2, /^The key in \S+ is unknown or revoked\.\n$/],
    ['--key-file sk_nobody', 2, /^The key in \S+ is unknown or revoked\.\n$/],
  ]
  for (const [line, expected, pattern] of REFUSALS) {
    it(`refuses ${line}`, async () => {
      const { code, stdout, stderr } = await ask(`run debts ${line}`)
      expect(stderr).to.match(pattern)
      expect([code, stdout]).to.deep.equal([expected, ''])
    })
  }

  it('says where organizations are asked, and by which role', async () => {
    for (const [keysUrl, where] of [
      ['', 'KEYS_DATABASE_URL, or at DATABASE_URL where that is not set, as now'],
      [`${settings['DATABASE_URL']}?application_name=x`, 'KEYS_DATABASE_URL'],
    ] as const) {
      const { code, stderr } = await ask('run debts --org large', { KEYS_DATABASE_URL: keysUrl })
      expect(code).to.equal(3)
      expect(stderr).to.match(/^The database cannot be asked: permission denied for \w+ \w+\. /)
      expect(stderr).to.contain(`asked at ${where}, here by the role svodka_reports: expected`)
    }
  })
})
