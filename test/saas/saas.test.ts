// What runs on the demo's definitions runs on those of another product: figures, formats, words, links and isolation.
import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { unzipSync } from 'fflate'
import { parquetMetadata } from 'hyparquet'
import type { Column } from '../../src/model/terms.ts'
import type { DatabaseClient } from '../../src/serve/database/database-client.ts'
import { command } from '../commands/in-process.ts'
import { needs } from '../clients/clients.ts'
import { PATHS_OF_READERS } from '../contract/gateways.ts'
import { expectationsOf } from '../describe/expectations.ts'
import { READERS, expectedValue, type Value } from '../formats/format-readers.ts'
import { readWorkbook } from '../formats/xlsx/reader.ts'
import type { Answer } from '../harness/ask.ts'
import type { OpenApi } from '../harness/documented.ts'
import { startGateway, type TestGateway } from '../harness/gateway.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { NO_INDEXES, poisoned } from '../isolation/poisoned.ts'
import { browserOfTests, catalogueShown, enter, reportShown, textsOf } from '../page/browser.ts'
import { connected } from '../sql/subject.ts'
import * as saas from './product.ts'

const { DEFINITIONS, ORGANIZATIONS, REPORTS } = saas
const [YEAR, MONTH] = saas.PERIODS
const PERIOD = 'from=2025-02-01&to=2025-03-31'
const EVER = 'from=2020-01-01&to=2030-12-31'
const NOW = Date.parse('2026-01-15T12:00:00Z')
const ENGLISH = { separator: ',', decimal: '.', isDayFirst: false } as const

interface Report {
  readonly columns: ReadonlyArray<Column & { readonly link?: string }>
  readonly rows: ReadonlyArray<Readonly<Record<string, Value>>>
  readonly totals: Readonly<Record<string, Value>>
  readonly summary: string
}

/** Words of another language or currency, each with its surroundings. */
function foreignIn(text: string): string[] {
  return [...new Set(text.match(/.{0,30}(?:[\u0400-\u04FF₽«»]|kopeck|rouble|\bRUB).{0,30}/gi))]
}

/** The texts of a body: of a workbook its parts, of Parquet what it says of itself. */
function textsIn(bytes: Buffer, path: string): string[] {
  if (path.includes('.xlsx'))
    return Object.values(unzipSync(bytes)).map(part => Buffer.from(part).toString())
  if (!path.includes('.parquet')) return [bytes.toString()]
  return [JSON.stringify(parquetMetadata(new Uint8Array(bytes).buffer).key_value_metadata)]
}

describe('a second product', () => {
  let database: Awaited<ReturnType<typeof saas.createDatabase>>
  let client: DatabaseClient
  let gateway: TestGateway
  let document: OpenApi

  before(async () => {
    database = await saas.createDatabase()
    client = await connected(database.primaryUrl)
    gateway = await startGateway({ ...database.environment, EXPLORER: 'on' }, { wall: () => NOW })
    document = (await get('/openapi.json')).json
    expected = expectationsOf(document)
  })
  after(() => Promise.all([gateway?.stop(), client?.end()]))
  let expected: ReturnType<typeof expectationsOf> | undefined

  /** Expects no foreign word in headers and body, and the document to list the response. */
  async function get(path: string, key = 'sk_acme'): Promise<Answer & { readonly bytes: Buffer }> {
    const response = await fetch(`${gateway.url}/api/public/v1${path}`, {
      headers: { 'X-Api-Key': key },
    })
    const { status, headers, ok } = response
    const bytes = Buffer.from(await response.arrayBuffer())
    const texts = ok ? textsIn(bytes, path) : [bytes.toString()]
    expect([...texts, ...headers.values()].flatMap(foreignIn), path).to.deep.equal([])
    const text = bytes.toString()
    const isJson = /[/+]json\b/.test(headers.get('Content-Type')!)
    const answer = { status, headers, text, json: isJson ? JSON.parse(text) : undefined, bytes }
    const [target = ''] = path.split('?')
    if (document?.paths[target] !== undefined) expected?.expectDocumented(target, answer)
    return answer
  }
  const report = async (code: string, period: string = YEAR, key?: string): Promise<Report> =>
    (await get(`/reports/${code}?${period}`, key)).json

  it('has no finding', async () => {
    const { stdout, stderr } = await command('check', database.environment)
    expect(stdout).to.equal('')
    expect(stderr.replaceAll(/^Not proved for .*: fan-out .*\n/gm, '')).to.match(
      /^9 definitions .*: no findings\n$/,
    )
  })

  for (const definition of DEFINITIONS) {
    it(`has the figures of its oracle: ${definition.name}`, async () => {
      const oracle = await saas.oracleOf(definition)
      let count = 0
      for (const period of saas.PERIODS)
        for (const organization of ORGANIZATIONS) {
          const found = await saas.rowsOf(client, definition.statement, organization, period)
          const naive = await saas.rowsOf(client, oracle, organization, period)
          expect(found, `${organization.name}, ${period}`).to.deep.equal(naive)
          count += found.length
        }
      expect(count).to.be.at.least(12)
    })
  }

  for (const code of REPORTS) {
    it(`has equal rows in every format: ${code}`, async () => {
      const { columns, rows } = await report(code)
      expect(rows.length).to.be.greaterThan(3)
      const digitsOf = (at: number) => saas.DIGITS[String(rows[at]!['currency'] ?? 'USD')]!
      const style = { ...ENGLISH, digitsOf }
      for (const [format, path] of Object.entries(PATHS_OF_READERS)) {
        const wanted = rows.map(row =>
          columns.map(({ key, type }) => expectedValue(row[key]!, type, format)),
        )
        const { bytes } = await get(
          `/reports/${code}${path}${path.includes('?') ? '&' : '?'}${YEAR}`,
        )
        expect(await READERS[format]!(bytes, columns, style), format).to.deep.equal(wanted)
      }
    })
  }

  it('has digits and sign of each row, and totals of one currency alone', async () => {
    const path = '/reports/revenue_by_month'
    const { rows, totals } = await report('revenue_by_month')
    expect(totals).to.include({ invoiced: null, credited: null, revenue: null })
    const [, ...cells] = readWorkbook((await get(`${path}.xlsx?${YEAR}`)).bytes).rows
    const formats = rows.map(({ currency }, at) => [
      currency,
      cells[at]!.get('E')!.format.split(';')[0],
    ])
    expect(Object.fromEntries(formats)).to.deep.equal({
      EUR: '"€"#,##0.00_0',
      USD: '"$"#,##0.00_0',
      JPY: '"¥"#,##0_0',
      KWD: '"KWD"\\ #,##0.000_0',
    })
    const { formats: offered } = JSON.parse((await get(`${path}/schema`)).text)
    const units = new Set(offered.map(({ money }: { readonly money: string }) => money))
    expect([...units]).to.have.members(['smallest unit of the currency', 'unit of the currency'])
    const { text } = await get('/openapi.json')
    expect(text).to.include(
      '"smallest unit of the currency in currency; a total is null unless the parameter currency selects one"',
    )
    const about = async (query: string) => {
      const parts = unzipSync((await get(`${path}.xlsx?${YEAR}${query}`)).bytes)
      return Object.values(parts)
        .map(part => Buffer.from(part).toString())
        .join('')
    }
    const why = 'Amounts are not totalled, as rows may have different currencies.'
    expect(await about('')).to.include(why)
    expect(await about('&currency=KWD')).not.to.include(why)
    for (const [currency, digits] of Object.entries(saas.DIGITS)) {
      const own = rows.filter(row => row['currency'] === currency)
      const ofOne = await report('revenue_by_month', `${YEAR}&currency=${currency}`)
      expect(ofOne.summary).to.match(/ issued \(Currency: [A-Z][a-zA-Z ]+\)\.$/)
      expect(ofOne.totals['revenue']).to.equal(
        own.reduce((sum, row) => sum + Number(row['revenue']), 0),
      )
      const ever = `${EVER}&currency=${currency}`
      expect((await report('payments', ever)).totals['amount']).to.equal(
        await receivedBy(1, currency, digits),
      )
    }
    const { summary, totals: none } = await report('payments_by_currency')
    expect(summary).to.match(/^In 2025, \d+ payments were received\.$/)
    expect(none['amount']).to.equal(null)
    const ofOne = await report('payments_by_currency', `${YEAR}&currency=KWD`)
    expect(ofOne.summary).to.match(
      /received; the largest was KWD\s[\d,]+\.\d{3} \(Currency: Kuwaiti dinar\)\.$/,
    )
    const { metrics } = (await get(`/metrics?codes=received&${EVER}`, 'sk_kauri')).json
    expect(metrics[0].value).to.equal(await receivedBy(3, 'KWD', 3))
  })

  /** In the smallest unit; the table has major units. */
  async function receivedBy(id: number, currency: string, digits: number): Promise<number> {
    const sum = 'select sum(amount) from payments where organization_id = $1 and currency = $2'
    const { rows } = await client.query<{ sum: string }>(sum, [id, currency])
    return Math.round(Number(rows[0]!.sum) * 10 ** digits)
  }

  it('keeps organizations apart', async () => {
    for (const { name } of ORGANIZATIONS) {
      const others = ORGANIZATIONS.filter(other => other.name !== name).map(other => other.name)
      for (const code of REPORTS) {
        const { text } = await get(`/reports/${code}?${YEAR}`, `sk_${name}`)
        expect(text, code).to.not.match(new RegExp(others.join('|'), 'i'))
        expect(JSON.parse(text).rows.length > 0, code).to.equal(name !== 'nova')
      }
    }
  })

  it('says that there are no rows', async () =>
    expect(await report('payments', YEAR, 'sk_nova')).to.deep.include({
      rows: [],
      summary: 'There is no data in 2025.',
    }))

  it('reads no value of others, down to discounts of lines', async () => {
    const all = async () => {
      const found: string[][] = []
      for (const { statement } of DEFINITIONS)
        found.push(await saas.rowsOf(client, statement, ORGANIZATIONS[0], YEAR))
      return found
    }
    const before = await all()
    try {
      await client.query(`begin; ${poisoned(saas.othersThan('1'))}`)
      const { rows } = await client.query('select max(amount) from line_discounts')
      expect(rows).to.deep.equal([{ max: '9223372036854775807' }])
      for (const settings of ['', NO_INDEXES]) {
        await client.query(settings)
        expect(await all()).to.deep.equal(before)
      }
    } finally {
      await client.query('rollback')
    }
  })

  it('has links to the figures that they are on', async () => {
    const { columns } = (await get('/reports/revenue_by_month/schema')).json as Report
    const { rows } = await report('revenue_by_month', PERIOD)
    expect(rows.length).to.be.greaterThan(5)
    for (const { key, link } of columns.filter(column => column.link !== undefined))
      for (const row of rows) {
        const from = `${row['month']}-01`
        const to = `${row['month']}-${from.includes('-02-') ? 28 : 31}`
        const values: typeof row = { ...row, 'month.from': from, 'month.to': to }
        const path = link!.replaceAll(/\{([\w.]+)\}/g, (_, name: string) => String(values[name]))
        expect((await get(path)).json.totals.amount, path).to.equal(row[key])
      }
  })

  it('is described in English, and explains errors in it', async () => {
    expect((await new Validator().validate({ ...document })).errors ?? []).to.deep.equal([])
    const paths = [
      '/ping',
      '/reports',
      '/metrics/schema',
      `/metrics?${YEAR}`,
      `/metrics?compare=year&${MONTH}`,
    ]
    for (const code of REPORTS) paths.push(`/reports/${code}/schema`, `/reports/${code}/parameters`)
    paths.push(
      ...['revenue_by_month', 'receivables'].map(code => `/reports/${code}?compare=year&${YEAR}`),
    )
    for (const path of paths) expect((await get(path)).status, path).to.equal(200)
    const wrong = [
      '/nope',
      '/reports/nope',
      '/metrics?codes=nope',
      ...['from=x', 'customer=x', 'nope=1', 'page=2'].map(query => `/reports/invoices?${query}`),
    ]
    for (const path of wrong) expect((await get(path)).status, path).to.be.within(400, 404)
    for (const key of ['sk_tiny', 'sk_revoked', 'sk_none'])
      expect((await get('/reports', key)).status).to.be.within(401, 402)
  })

  it("has the kit's scripts in English", async () => {
    const line = 'kit python invoices --url http://127.0.0.1:1'
    const { stdout } = await command(line, database.environment)
    expect(stdout).to.include('invoices')
    expect(foreignIn(stdout)).to.deep.equal([])
  })

  it('counts data frames in the currency of the key, not of the definitions', async function () {
    const programs = ['python3', '/usr/bin/python3']
    const python = await needs(this, 'python3-pandas', programs, ['-c', 'import pandas'])
    const line = `kit pandas paid_by_customer --url ${gateway.url} --from 2025-01-01 --to 2025-12-31`
    const { stdout } = await command(line, database.environment)
    const script = `${stdout}\nprint(round(table["amount"].sum() * 10 ** int(sys.argv[1])))`
    for (const [key, digits] of [
      ['sk_acme', '2'],
      ['sk_kauri', '3'],
    ] as const) {
      const { totals } = await report('paid_by_customer', YEAR, key)
      const options = { env: { ...process.env, SVODKA_KEY: key } }
      const sum = await promisify(execFile)(
        python,
        ['-c', `import sys\n${script}`, digits],
        options,
      )
      expect(sum.stdout.trim(), key).to.equal(String(totals['amount']))
    }
  })

  for (const [tool, program, options, print] of [
    [
      'pandas',
      'python3',
      ['-c', 'import pandas'],
      `for row in table.itertuples(): print(f"{row.currency} {row.balance:.3f}")`,
    ],
    [
      'frame',
      'Rscript',
      ['-e', 'NULL'],
      `cat(sprintf("%s %.3f\n", table$currency, table$balance), sep = "")`,
    ],
  ] as const)
    it(`counts ${tool} with rows of several currencies in whole units of each`, async function () {
      const path = await needs(this, program, [program, `/usr/bin/${program}`], [...options])
      for (const query of ['', '&currency=EUR', '&currency=JPY']) {
        const set = query.replace('&', ' --set ')
        const line = `kit ${tool} receivables --url ${gateway.url} --from 2025-01-01 --to 2025-12-31${set}`
        const { stdout } = await command(line, database.environment)
        const env = { ...process.env, SVODKA_KEY: 'sk_acme' }
        const script = [options[0], `${stdout}\n${print}`]
        const printed = (await promisify(execFile)(path, script, { env })).stdout
        const { rows } = await report('receivables', `${YEAR}${query}`)
        const expected = rows.map(({ currency, balance }) => {
          const digits = saas.DIGITS[String(currency)]!
          return `${currency} ${(Number(balance) / 10 ** digits).toFixed(3)}`
        })
        expect(expected.length).to.be.greaterThan(3)
        expect(printed.trim().split('\n')).to.deep.equal(expected)
      }
    })

  describe('in a browser', () => {
    const browser = browserOfTests()

    it('is English on its page and on paper', async () => {
      const query = `?report=paid_by_customer&${MONTH}`
      const page = await browser.open({ url: gateway.url, query, key: 'sk_bolt', language: 'de' })
      await reportShown(page)
      const { summary } = await report('paid_by_customer', MONTH, 'sk_bolt')
      expect(summary).to.match(
        /^In March 2025, \d+ invoices for €[\d,]+\.\d\d were paid; Bolt client \d paid most\.$/,
      )
      expect(await textsOf(page, '.sentence')).to.deep.equal([summary])
      expect(foreignIn(await page.content())).to.deep.equal([])
      const path = join(temporaryFolder(), 'report.pdf')
      writeFileSync(path, await page.pdf({ preferCSSPageSize: true, tagged: false }))
      const printed = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })
      expect(foreignIn(printed)).to.deep.equal([])
      expect(printed).to.include('1 Mar 2025 — 31 Mar 2025')
      await page.goto(`${gateway.url}/?report=revenue_by_month&${YEAR}`)
      await reportShown(page)
      const shown = await textsOf(page, '.table tbody tr')
      expect(shown.length).to.be.greaterThan(20)
      for (const row of shown)
        expect(row).to.match(
          / EUR .*€[\d,]+\.\d\d$| USD .*\$[\d,]+\.\d\d$| JPY .*¥[\d,]+$| KWD .*KWD [\d,]+\.\d{3}$/,
        )
      expect(await textsOf(page, '.table tfoot tr')).to.deep.equal(['Total 100'])
      expect(await textsOf(page, '.rows > p:last-child')).to.deep.equal([
        'Amounts are not totalled, as rows may have different currencies.',
      ])
      await enter(page, '.rows input[type=search]', 'KWD')
      expect(await page.title()).to.match(/^Revenue by month, matching “KWD” — /)
    })

    it('has the groups of the product, and the total of one currency beneath its codes', async () => {
      const page = await browser.open({ url: gateway.url, key: 'sk_acme', language: 'en' })
      await catalogueShown(page)
      expect(await textsOf(page, '.group h3')).to.deep.equal(['Billing'])
      await page.goto(`${gateway.url}/?report=payments_by_currency&by.currency=KWD&${YEAR}`)
      await reportShown(page)
      const { totals } = await report('payments_by_currency', `${YEAR}&currency=KWD`)
      expect(await textsOf(page, '.rows > p:last-child')).to.deep.equal([''])
      const amount = (Number(totals['amount']) / 1000).toLocaleString('en', {
        minimumFractionDigits: 3,
      })
      expect(await textsOf(page, '.table tfoot tr')).to.deep.equal([
        `Total ${String(totals['payments'])} KWD ${amount}`,
      ])
    })
  })
})
