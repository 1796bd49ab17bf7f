// The answer of a definition as an author gets it: the same as the gateway's, in a terminal's shape.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { asker, type Ask } from '../support/ask.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { sharedShops, shopsEnvironment, SHOPS_SQL_DIR } from '../support/shops.ts'
import { svodka } from '../support/svodka.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

describe('svodka run', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const keyFile = join(folder, 'key')
  const ofShop = ['--key-file', keyFile, '--from', '2026-01-01', '--to', '2026-12-31']
  let settings: Record<string, string>
  let gateway: TestGateway
  let ask: Ask

  before(async () => {
    writeFileSync(keyFile, 'key of shop 1\n')
    const environment = shopsEnvironment(await sharedShops())
    settings = environment as Record<string, string>
    gateway = await startGateway(environment)
    ask = asker(gateway.url, 'key of shop 1')
  })
  after(() => gateway?.stop())

  it('shows a report as a table, and says on stderr where it is from', async () => {
    const { code, stdout, stderr } = await svodka(['run', 'receipts', ...ofShop], settings)
    expect(code).to.equal(0)
    expect(stderr).to.match(/^4 rows in \d+ ms from the replica at DATABASE_URL\n$/)
    const lines = stdout.split('\n')
    expect(lines[0]).to.equal('Чеки, 2026 год: 1, Europe/Moscow')
    expect(lines[2]).to.match(
      /^Номер {2}Дата {8}Месяц {4}Продан {15}Штук {4}Вес {2} +Сумма +Доля {2}Заметка$/,
    )
    expect(lines[4]).to.match(/^101 +01\.01\.2026 {2}01\.2026 {2}01\.01\.2026 00:00:00 .* 100,50 /)
    expect(lines[5]).to.contain(' 90 071 992 547 409,93 ').and.to.contain('line↵break, "quotes" 🙂')
    expect(lines[9]).to.match(
      /^Итого +01\.01\.2026 .* 4 {2}3,625 {2}90 071 992 547 509,94 +100,0 %$/,
    )
    expect(lines[11]).to.match(/^За 2026 год продано 4 товара на 90.071.992.547.509,94.₽/)
  })

  it("gives the API's own body, byte for byte", async () => {
    for (const code of ['receipts', 'receipts_by_month']) {
      const { stdout } = await svodka(['run', code, ...ofShop, '--json'], settings)
      const { text } = await ask(`/reports/${code}?from=2026-01-01&to=2026-12-31`)
      expect(stdout).to.equal(text)
    }
  })

  it('gives metrics as the API does when it is asked for all of their file', async () => {
    const { stdout } = await svodka(['run', 'metrics/sales', ...ofShop, '--json'], settings)
    const codes = 'revenue,receipts,average,share_of_returns'
    const { text } = await ask(`/metrics?codes=${codes}&from=2026-01-01&to=2026-12-31`)
    expect(stdout).to.equal(text)
  })

  it('shows metrics as titles and values', async () => {
    const { code, stdout, stderr } = await svodka(['run', 'time', ...ofShop], settings)
    expect([code, stderr.split(' in ')[0]]).to.deep.equal([0, '3 metrics'])
    expect(stdout).to.match(
      /^metrics\/time, 2026 год: 1, Europe\/Moscow\n\nЧасов в среднем +10,3 ч\nДней +\d+ дн\.\nВес +3,625\n$/,
    )
  })

  it('gives all of a large report, which is streamed', async () => {
    const small = { ...settings, CACHE_MAX_ENTRY_BYTES: '64KiB' }
    const { code, stdout, stderr } = await svodka(['run', 'register', ...ofShop], small)
    expect([code, stderr.split(' in ')[0]]).to.deep.equal([0, '100000 rows'])
    const lines = stdout.split('\n')
    expect(lines).to.have.length(100_000 + 9)
    expect(lines.at(-4)).to.match(/^Итого +50 000 500,00$/)
  })

  it('ends quietly when nobody reads on', async () => {
    const args = [MAIN, 'run', 'register', ...ofShop]
    const child = spawn(process.execPath, args, { env: { ...settings } })
    let stderr = ''
    child.stderr.on('data', chunk => (stderr += chunk))
    child.stdout.once('data', () => child.stdout.destroy())
    const [code] = await once(child, 'close')
    expect(code).to.equal(0)
    expect(stderr).to.match(/^100000 rows in \d+ ms from the replica at DATABASE_URL\n$/)
  })

  describe('of a definition that is at fault', () => {
    const sqlDir = join(folder, 'sql')
    const broken = (file: string, found: string, replaced: string) => {
      const path = join(sqlDir, 'reports', file)
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(found, () => replaced),
      )
    }
    before(() => {
      cpSync(SHOPS_SQL_DIR, sqlDir, { recursive: true })
      broken('sales/receipts.sql', 'receipts.note,', 'receipts.nte as note,')
      broken('faults/division.sql', 'total: sum(value)', 'total: sum(vlue)')
    })

    const faults: ReadonlyArray<readonly [string, string, RegExp]> = [
      [
        'a misspelt column',
        'receipts',
        /^sql\/reports\/sales\/receipts\.sql:35: column receipts\.nte does not exist/,
      ],
      [
        'a total that does not compute',
        'division',
        /^sql\/reports\/faults\/division\.sql:5: column "vlue" does not exist/,
      ],
      [
        'a result of another shape',
        'float',
        /^sql\/reports\/faults\/float\.sql:5: column "value" is double precision, expected smallint or /,
      ],
      [
        'too many rows',
        'too_many_rows',
        /^sql\/reports\/faults\/too_many_rows\.sql:\d+: found more rows, expected at most maxRows, \d+/,
      ],
      [
        'a run without end',
        'slow',
        /^sql\/reports\/faults\/slow\.sql:\d+: ran out of its time, expected an answer within \d+/,
      ],
    ]
    for (const [title, code, expected] of faults) {
      it(`names the file and line of ${title}, and ends with 1`, async () => {
        const ended = await svodka(['run', code, ...ofShop], { ...settings, SQL_DIR: sqlDir })
        expect([ended.code, ended.stdout]).to.deep.equal([1, ''])
        expect(ended.stderr.replace(`${folder}/`, '')).to.match(expected)
      })
    }
  })

  it('ends with 3 where the server takes writes, and says what lets it in', async () => {
    const { primaryUrl } = await sharedShops()
    const primary = { ...settings, DATABASE_URL: primaryUrl }
    const { code, stdout, stderr } = await svodka(['run', 'receipts', ...ofShop], primary)
    expect([code, stdout]).to.deep.equal([3, ''])
    expect(stderr).to.contain('is not in recovery; ALLOW_PRIMARY=true lets it in')
  })

  it('refuses --json beside --psql', async () => {
    const { code, stderr } = await svodka(
      ['run', 'receipts', ...ofShop, '--json', '--psql'],
      settings,
    )
    expect(code).to.equal(2)
    expect(stderr).to.contain("'--psql' cannot be used with option '--json'")
  })
})
