// Amounts of products in other currencies than roubles, in every place that shows them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { parquetMetadata } from 'hyparquet'
import { command } from '../commands/in-process.ts'
import { readWorkbook } from '../formats/xlsx/reader.ts'
import { startGateway, type TestGateway } from '../harness/gateway.ts'
import { invoicesEnvironment, type InvoicesEnvironment } from '../harness/invoices.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

const PERIOD = 'from=2026-03-01&to=2026-03-31'
const NOON = Date.parse('2026-11-21T12:00:00Z')
/** As sentences have it, in any language. @param amount such as `1234,56` */
function inWords(amount: string): RegExp {
  const [whole = '', fraction] = amount.split(',')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, String.raw`\D`)
  return new RegExp(`${grouped}${fraction === undefined ? '' : `[.,]${fraction}`}(?!\\d)`)
}

/** Sends requests with the key of a client. */
function askerOf(gateway: TestGateway, key = 'key of client 1') {
  const get = async (path: string): Promise<Response> => {
    const query = `${path.includes('?') ? '&' : '?'}${PERIOD}`
    const dated = /\/(?:schema|ping|openapi\.json)$/.test(path) ? path : path + query
    const response = await fetch(`${gateway.url}/api/public/v1${dated}`, {
      headers: { 'X-Api-Key': key },
    })
    expect(
      response.status,
      `${path}: ${response.ok ? '' : await response.clone().text()}`,
    ).to.equal(200)
    return response
  }
  return {
    // oxlint-disable-next-line typescript/no-explicit-any -- why: bodies of every kind
    json: async (path: string): Promise<any> => (await get(path)).json(),
    text: async (path: string): Promise<string> => (await get(path)).text(),
    bytes: async (path: string): Promise<Buffer> =>
      Buffer.from(await (await get(path)).arrayBuffer()),
  }
}

/** `1234.56 [format]` of the cells of a column. */
async function cellsOf(bytes: Promise<Buffer>, letters: string): Promise<string[]> {
  const { rows } = readWorkbook(await bytes)
  return rows.slice(1).map(row => {
    const { text, format } = row.get(letters) ?? { text: '', format: '' }
    return `${text} [${format.split(';')[0]}]`
  })
}

const PRODUCTS = [
  {
    currency: 'code: EUR',
    excel: ['1234,56', '-0,05', '248522,12', '0,00', '249756,63'],
    cells: ['1234.56', '-0.05', '248522.12', '0', '249756.63'],
    format: '"€"#,##0.00_0',
    named: { code: 'EUR', digits: 2, unit: '1/100 EUR' },
  },
  {
    currency: 'code: JPY',
    excel: ['123456', '-5', '24852212', '0', '24975663'],
    cells: ['123456', '-5', '24852212', '0', '24975663'],
    format: '"¥"#,##0_0',
    named: { code: 'JPY', digits: 0, unit: 'JPY' },
  },
  {
    currency: 'code: KWD',
    excel: ['123,456', '-0,005', '24852,212', '0,000', '24975,663'],
    cells: ['123.456', '-0.005', '24852.212', '0', '24975.663'],
    format: '"KWD"\\ #,##0.000_0',
    named: { code: 'KWD', digits: 3, unit: '1/1000 KWD' },
  },
] as const

for (const { currency, excel, cells, format, named } of PRODUCTS) {
  const { code, digits, unit } = named
  describe(`a product in ${code}`, () => {
    let environment: NodeJS.ProcessEnv
    let gateway: TestGateway
    let ask: ReturnType<typeof askerOf>

    before(async () => {
      environment = (await invoicesEnvironment('code: EUR', currency)).environment
      gateway = await startGateway(environment, { wall: () => NOON })
      ask = askerOf(gateway)
    })
    after(() => gateway.stop())

    it('has integers in JSON, whose columns do not repeat the currency', async () => {
      const { columns, rows, totals, summary } = await ask.json('/reports/invoices')
      expect(columns[1]).to.deep.equal({ key: 'amount', title: 'Amount', type: 'money' })
      expect(rows.map(({ amount }: { amount: number }) => amount)).to.deep.equal([
        123_456, -5, 24_852_212, 0,
      ])
      expect(totals.amount).to.equal(24_975_663)
      expect(summary)
        .to.match(/^4 for /)
        .and.match(inWords(excel[4]))
    })

    it('has its decimals in CSV for Excel', async () => {
      const lines = (await ask.text('/reports/invoices.csv?preset=excel')).trim().split('\r\n')
      expect(lines.slice(1).map(line => line.split(',')[1]?.replace('.', ','))).to.deep.equal(excel)
    })

    it('has its decimals and its sign in workbooks', async () => {
      const found = await cellsOf(ask.bytes('/reports/invoices.xlsx'), 'B')
      expect(found).to.deep.equal(cells.map(value => `${value} [${format}]`))
    })

    it('names it in descriptions and in metadata of Parquet', async () => {
      const expected = { currency: code, digits, unit }
      const schema = await ask.json('/reports/invoices/schema')
      expect(schema.columns[1]).to.deep.include(expected)
      const moneys = schema.formats.map(({ money }: { money: string }) => money)
      expect(moneys).to.deep.equal([unit, unit, unit, code, code, unit])
      expect((await ask.json('/metrics/schema')).metrics[0]).to.deep.include(expected)
      expect(await ask.json('/ping')).to.deep.include({ currency: code, digits })
      const { schemas } = (await ask.json('/openapi.json')).components
      expect(schemas.invoices_row.properties.amount.description).to.equal(unit)
      const { buffer } = new Uint8Array(await ask.bytes('/reports/invoices.parquet'))
      const { key_value_metadata: all = [] } = parquetMetadata(buffer)
      const columns = all.find(({ key }) => key === 'svodka.columns')!.value!
      expect(JSON.parse(columns)[1]).to.deep.include(expected)
    })

    it('takes parameters as integers, and shows them in workbooks', async () => {
      const { rows } = await ask.json('/reports/invoices?at_least=123456')
      expect(rows).to.have.length(2)
      const { lines } = readWorkbook(await ask.bytes('/reports/invoices.xlsx?at_least=24852212'))
      expect(lines.join('\n')).to.match(inWords(excel[2]))
    })

    it('has its decimals in the terminal', async () => {
      const key = join(temporaryFolder(), 'key')
      writeFileSync(key, 'key of client 1\n')
      const line = `run invoices --key-file ${key} --from 2026-03-01 --to 2026-03-31`
      const { stdout } = await command(line, environment)
      expect(stdout).to.match(inWords(excel[0])).and.match(inWords(excel[4]))
    })

    it('is what scripts of the kit divide by', async () => {
      const script = async (tool: string): Promise<string> => {
        const line = `kit ${tool} invoices --url http://127.0.0.1 --from 2026-03-01`
        return (await command(line, environment)).stdout
      }
      expect(await script('pandas')).to.contain(`\ntable[["amount"]] /= ${10 ** digits}\n`)
      const valueOf = `${await script('appsscript')}; valueOf(-123456, { type: 'money' })`
      expect(runInNewContext(valueOf)).to.equal(-123_456 / 10 ** digits)
      expect(await script('powerquery')).to.contain(`"digits", ${digits})`)
      expect(await script('1c')).to.contain(`Неопределено, ${digits}, `)
    })
  })
}

describe('an organization with a currency of its own', () => {
  const ACCESS = `
    select key_hash, id as organization_id, 'UTC' as time_zone, true as entitled, currency
    from clients
    where key_hash = any(:key_hashes)`
  let gateway: TestGateway
  let database: InvoicesEnvironment
  before(async () => {
    database = await invoicesEnvironment('', '', { 'access/organization_by_key.sql': ACCESS })
    gateway = await startGateway(database.environment, { wall: () => NOON })
  })
  after(() => gateway.stop())

  it('has money in it, which bodies and descriptions name', async () => {
    const [euros, dinars] = [askerOf(gateway), askerOf(gateway, 'key of client 2')]
    const named = { currency: 'KWD', digits: 3 }
    const { columns, rows, summary } = await dinars.json('/reports/invoices')
    expect(columns[1]).to.deep.equal({ key: 'amount', title: 'Amount', type: 'money', ...named })
    expect(rows[0].amount).to.equal(1_234_567)
    expect(summary).to.match(inWords('1234,567')).and.contain('KWD')
    const { metrics } = await dinars.json('/metrics')
    expect(metrics[0]).to.deep.include({ value: 1_234_567, format: 'money', ...named })
    const lines = (await dinars.text('/reports/invoices.csv?preset=excel')).split('\r\n')
    expect(lines[1]).to.match(/^B-1[,;]"?1234[.,]567"?$/)
    const cells = await cellsOf(dinars.bytes('/reports/invoices.xlsx'), 'B')
    expect(cells[0]).to.equal('1234.567 ["KWD"\\ #,##0.000_0]')
    expect(await dinars.json('/ping')).to.deep.include(named)
    const described = { ...named, unit: '1/1000 KWD' }
    expect((await dinars.json('/reports/invoices/schema')).columns[1]).to.deep.include(described)
    expect((await dinars.json('/metrics/schema')).metrics[0]).to.deep.include(described)
    const { columns: plain } = await euros.json('/reports/invoices')
    expect(plain[1]).to.deep.equal({ key: 'amount', title: 'Amount', type: 'money' })
    expect((await euros.json('/reports/invoices/schema')).columns[1].currency).to.equal('EUR')
    expect((await euros.json('/metrics')).metrics[0]).not.to.have.any.keys('currency', 'digits')
  })

  it('is followed at once by cached responses, shortcuts too', async () => {
    const path = '/reports/invoices.xlsx'
    const dinars = askerOf(gateway, 'key of client 2')
    for (const [currency, cell] of [
      ["'JPY'", '1234567 ["¥"#,##0_0]'],
      ['null', '12345.67 ["€"#,##0.00_0]'],
      ["'KWD'", '1234.567 ["KWD"\\ #,##0.000_0]'],
    ] as const) {
      await database.change(`update clients set currency = ${currency} where id = 2`)
      for (let round = 0; round < 3; round += 1)
        expect((await cellsOf(dinars.bytes(path), 'B'))[0], currency).to.equal(cell)
    }
  })

  it('cannot have an unknown one', async () => {
    await database.change(`update clients set currency = 'XXX' where id = 2`)
    const headers = { 'X-Api-Key': 'key of client 2' }
    const response = await fetch(`${gateway.url}/api/public/v1/ping`, { headers })
    expect(response.status).to.equal(503)
    const rejected = gateway.observations.find(({ kind }) => kind === 'access-row-rejected')
    expect(String((rejected as { error?: unknown } | undefined)?.error)).to.contain(
      'organization "2": currency is "XXX", expected a code of ISO 4217',
    )
  })
})
