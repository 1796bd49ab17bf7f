// The answer of a definition as an author gets it: the same as the gateway's, in a terminal's shape.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import type { Ask } from '../support/ask.ts'
import { startGateway } from '../support/gateway.ts'
import type { TestGateway } from '../support/gateway.ts'
import { sharedShops, shopsEnvironment, SHOPS_SQL_DIR } from '../support/shops.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { command } from './in-process.ts'
import { replaceIn } from './sql-folder.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

describe('svodka run', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const keyFile = join(folder, 'key')
  const ofShop = ['--key-file', keyFile, '--from', '2026-01-01', '--to', '2026-12-31']
  let settings: NodeJS.ProcessEnv
  let primaryUrl: string
  let gateway: TestGateway
  let ask: Ask

  before(async () => {
    writeFileSync(keyFile, 'key of shop 1\n')
    const shops = await sharedShops()
    ;({ primaryUrl } = shops)
    settings = shopsEnvironment(shops)
    gateway = await startGateway(settings)
    ask = asker(gateway.url, 'key of shop 1')
  })
  after(() => gateway?.stop())

  const run = (line: string, more: NodeJS.ProcessEnv = {}) =>
    command(['run', ...line.split(' '), ...ofShop], { ...settings, ...more })

  it('shows a report as a table, and says on stderr where it is from', async () => {
    const { code, stdout, stderr } = await run('receipts')
    expect(code).to.equal(0)
    expect(stderr).to.match(/^4 rows in \d+ ms from the replica at DATABASE_URL\n$/)
    const lines = stdout.split('\n')
    expect(lines[0]).to.equal('Чеки, 2026 год: 1, Europe/Moscow')
    expect(lines[4]).to.match(/^101 +01\.01\.2026 {2}01\.2026 {2}01\.01\.2026 00:00:00 .* 100,50 /)
    expect(lines[11]).to.match(/^За 2026 год продано 4 товара на 90.071.992.547.509,94.₽/)
  })

  it('shows metrics as titles and values', async () => {
    const { code, stdout, stderr } = await run('time')
    expect([code, stderr.split(' in ')[0]]).to.deep.equal([0, '3 metrics'])
    expect(stdout).to.match(
      /^metrics\/time, 2026 год: 1, Europe\/Moscow\n\nЧасов в среднем +10,3 ч\nДней +\d+ дн\.\nВес +3,625\n$/,
    )
  })

  const BODIES: ReadonlyArray<readonly [line: string, path: string]> = [
    ['receipts --json', '/reports/receipts?'],
    ['receipts_by_month --json', '/reports/receipts_by_month?'],
    ['receipts --format csv', '/reports/receipts?format=csv&'],
    ['metrics/sales --json', '/metrics?codes=revenue,receipts,average,share_of_returns&'],
  ]
  for (const [line, path] of BODIES) {
    it(`gives the API's own body, byte for byte, for ${line}`, async () => {
      const { stdout } = await run(line)
      const { status, text } = await ask(`${path}from=2026-01-01&to=2026-12-31`)
      expect([status, stdout]).to.deep.equal([200, text])
    })
  }

  it('gives all of a large report, which is streamed', async () => {
    const { code, stdout, stderr } = await run('register', { CACHE_MAX_ENTRY_BYTES: '64KiB' })
    expect([code, stderr.split(' in ')[0]]).to.deep.equal([0, '100000 rows'])
    const lines = stdout.split('\n')
    expect(lines).to.have.length(100_000 + 9)
    expect(lines.at(-4)).to.match(/^Итого +50 000 500,00$/)
  })

  it('ends quietly when nobody reads on', async () => {
    const child = spawn(process.execPath, [MAIN, 'run', 'register', ...ofShop], { env: settings })
    let stderr = ''
    child.stderr.on('data', chunk => (stderr += chunk))
    child.stdout.once('data', () => child.stdout.destroy())
    const [code] = await once(child, 'close')
    expect(code).to.equal(0)
    expect(stderr).to.match(/^100000 rows in \d+ ms from the replica at DATABASE_URL\n$/)
  })

  describe('names the file and line, and ends with 1, for', () => {
    const SQL_DIR = join(folder, 'sql')
    before(() => {
      cpSync(SHOPS_SQL_DIR, SQL_DIR, { recursive: true })
      const reports = join(SQL_DIR, 'reports')
      replaceIn(join(reports, 'sales/receipts.sql'), 'receipts.note,', 'receipts.nte as note,')
      replaceIn(join(reports, 'faults/division.sql'), 'total: sum(value)', 'total: sum(vlue)')
    })

    const FAULTS: ReadonlyArray<readonly [title: string, file: string, said: string]> = [
      ['a misspelt column', 'sales/receipts', '35: column receipts.nte does not exist'],
      ['a total that does not compute', 'faults/division', '5: column "vlue" does not exist'],
      [
        'a result of another shape',
        'faults/float',
        '5: column "value" is double precision, expected smallint or ',
      ],
      [
        'too many rows',
        'faults/too_many_rows',
        '\\d+: found more rows, expected at most maxRows, \\d+',
      ],
      [
        'an execution without end',
        'faults/slow',
        '\\d+: ran out of its time, expected an answer within \\d+',
      ],
    ]
    for (const [title, file, said] of FAULTS) {
      it(title, async () => {
        const { code, stdout, stderr } = await run(file.split('/')[1]!, { SQL_DIR })
        expect(stderr).to.match(new RegExp(`^${SQL_DIR}/reports/${file}\\.sql:${said}`))
        expect([code, stdout]).to.deep.equal([1, ''])
      })
    }
  })

  it('ends with 3 where the server takes writes, and says what lets it in', async () => {
    const { code, stdout, stderr } = await run('receipts', { DATABASE_URL: primaryUrl })
    expect([code, stdout]).to.deep.equal([3, ''])
    expect(stderr).to.contain('is not in recovery; ALLOW_PRIMARY=true lets it in')
    expect(
      (await run('receipts', { DATABASE_URL: primaryUrl, ALLOW_PRIMARY: 'true' })).code,
    ).to.equal(0)
  })

  it('refuses --format for metrics', async () => {
    const { code, stderr } = await run('time --format csv')
    expect(code).to.equal(2)
    expect(stderr).to.match(/^time is a file of metrics, and --format goes with reports alone/)
  })
})
