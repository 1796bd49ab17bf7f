// Amounts of products in other currencies than roubles, in every place that shows them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { parquetMetadata } from 'hyparquet'
import { command } from '../commands/in-process.ts'
import { readWorkbook } from '../formats/xlsx/reader.ts'
import { fixture, fixtures } from '../harness/fixtures.ts'
import { asker, type Answer } from '../harness/ask.ts'
import { startGateway, type TestGateway } from '../harness/gateway.ts'
import { invoicesEnvironment, type InvoicesEnvironment } from '../harness/invoices.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

const PERIOD = 'from=2026-03-01&to=2026-03-31'
const BY_CURRENCY = 'reports/sales/by_currency'
const NOON = Date.parse('2026-11-21T12:00:00Z')
/** As sentences have it, in any language. @param amount such as `1234,56` */
function inWords(amount: string): RegExp {
  const [whole = '', fraction] = amount.split(',')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, String.raw`\D`)
  return new RegExp(`${grouped}${fraction === undefined ? '' : `[.,]${fraction}`}(?!\\d)`)
}

/** Sends requests with the key of a client. */
function askerOf(world: { readonly gateway: TestGateway }, key = 'key of client 1') {
  const get = async (path: string): Promise<Answer> => {
    const query = `${path.includes('?') ? '&' : '?'}${PERIOD}`
    const dated = /\/(?:schema|ping|openapi\.json)$/.test(path) ? path : path + query
    const answer = await asker(world.gateway.url, key)(dated)
    expect(answer.status, `${path}: ${answer.text}`).to.equal(200)
    return answer
  }
  return {
    // oxlint-disable-next-line typescript/no-explicit-any -- why: bodies of every kind
    json: async (path: string): Promise<any> => (await get(path)).json,
    text: async (path: string): Promise<string> => (await get(path)).text,
    bytes: async (path: string): Promise<Buffer> => (await get(path)).bytes,
  }
}

interface Product extends InvoicesEnvironment {
  gateway: TestGateway
  /** Sends requests with the key of client 1. */
  ask: ReturnType<typeof askerOf>
}

/** Started once for a block. The result is complete before its first test. */
function productOfBlock(...product: Parameters<typeof invoicesEnvironment>): Product {
  const world = {} as Product
  world.ask = askerOf(world)
  before(async () => {
    const database = await invoicesEnvironment(...product)
    const gateway = await startGateway(database.environment, { wall: () => NOON })
    Object.assign(world, database, { gateway })
  })
  after(() => world.gateway.stop())
  return world
}

/** `1234.56 [format]` of the cells of a column. */
function cellsOf(bytes: Buffer, letters: string): string[] {
  const { rows } = readWorkbook(bytes)
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
    const product = productOfBlock('code: EUR', currency)
    const { ask } = product

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
      const found = cellsOf(await ask.bytes('/reports/invoices.xlsx'), 'B')
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
      const { stdout } = await command(line, product.environment)
      expect(stdout).to.match(inWords(excel[0])).and.match(inWords(excel[4]))
    })

    it('is what scripts of the kit divide by', async () => {
      const script = async (tool: string): Promise<string> => {
        const line = `kit ${tool} invoices --url http://127.0.0.1 --from 2026-03-01`
        return (await command(line, product.environment)).stdout
      }
      const valueOf = `${await script('appsscript')}; valueOf(-123456, 'money', digitsOf({}, {}))`
      expect(runInNewContext(valueOf)).to.equal(-123_456 / 10 ** digits)
      expect(await script('powerquery')).to.contain(`"digits", ${digits})`)
      expect(await script('1c')).to.contain(`Неопределено, ${digits}, `)
    })
  })
}

const ACCESS = {
  'access/organization_by_key.sql': `
    select key_hash, id as organization_id, 'UTC' as time_zone, true as entitled, currency
    from clients
    where key_hash = any(:key_hashes)`,
}

describe('an organization with a currency of its own', () => {
  const product = productOfBlock('', '', {
    ...ACCESS,
    ...fixtures(BY_CURRENCY),
  })

  it('has money in it, which bodies and descriptions name', async () => {
    const [euros, dinars] = [askerOf(product), askerOf(product, 'key of client 2')]
    const named = { currency: 'KWD', digits: 3 }
    const { columns, rows, summary } = await dinars.json('/reports/invoices')
    expect(columns[1]).to.deep.equal({ key: 'amount', title: 'Amount', type: 'money', ...named })
    expect(rows[0].amount).to.equal(1_234_567)
    expect(summary).to.match(inWords('1234,567')).and.contain('KWD')
    const { metrics } = await dinars.json('/metrics')
    expect(metrics[0]).to.deep.include({ value: 1_234_567, format: 'money', ...named })
    const lines = (await dinars.text('/reports/invoices.csv?preset=excel')).split('\r\n')
    expect(lines[1]).to.match(/^B-1[,;]"?1234[.,]567"?$/)
    const cells = cellsOf(await dinars.bytes('/reports/invoices.xlsx'), 'B')
    expect(cells[0]).to.equal('1234.567 ["KWD"\\ #,##0.000_0]')
    expect(await dinars.json('/ping')).to.deep.include(named)
    const described = { ...named, unit: '1/1000 KWD' }
    expect((await dinars.json('/reports/invoices/schema')).columns[1]).to.deep.include(described)
    expect((await dinars.json('/metrics/schema')).metrics[0]).to.deep.include(described)
    const { columns: others } = await dinars.json('/reports/by_currency?currency=EUR')
    expect(others[2]).to.deep.include({ currency: 'EUR', digits: 2 })
    const { columns: plain } = await euros.json('/reports/invoices')
    expect(plain[1]).to.deep.equal({ key: 'amount', title: 'Amount', type: 'money' })
    expect((await euros.json('/reports/invoices/schema')).columns[1].currency).to.equal('EUR')
    expect((await euros.json('/metrics')).metrics[0]).not.to.have.any.keys('currency', 'digits')
  })

  it('is followed at once by cached responses, shortcuts too', async () => {
    const path = '/reports/invoices.xlsx'
    const dinars = askerOf(product, 'key of client 2')
    for (const [currency, cell] of [
      ["'JPY'", '1234567 ["¥"#,##0_0]'],
      ['null', '12345.67 ["€"#,##0.00_0]'],
      ["'KWD'", '1234.567 ["KWD"\\ #,##0.000_0]'],
    ] as const) {
      await product.change(`update clients set currency = ${currency} where id = 2`)
      for (let round = 0; round < 3; round += 1)
        expect(cellsOf(await dinars.bytes(path), 'B')[0], currency).to.equal(cell)
    }
  })

  it('cannot have an unknown one', async () => {
    await product.change(`update clients set currency = 'XXX' where id = 2`)
    const { url, observations } = product.gateway
    expect((await asker(url, 'key of client 2')('/ping')).status).to.equal(503)
    const rejected = observations.find(({ kind }) => kind === 'access-row-rejected')
    expect(String((rejected as { error?: unknown } | undefined)?.error)).to.contain(
      'organization "2": currency is "XXX", expected a code of ISO 4217',
    )
  })
})

describe('a column of several currencies', () => {
  const product = productOfBlock('', '', fixtures(BY_CURRENCY))
  const { ask } = product
  const path = '/reports/by_currency'

  it('has the digits and the sign of each row, and no total', async () => {
    const { columns, rows, totals, summary } = await ask.json(path)
    const named = { currency: { column: 'currency' }, digits: null }
    expect(columns[2]).to.deep.equal({ key: 'amount', title: 'Amount', type: 'money', ...named })
    expect(rows.map(({ amount }: { amount: number }) => amount)).to.deep.equal([
      123_456, -5, 24_852_212, 0,
    ])
    expect([totals.amount, summary]).to.deep.equal([null, '4 for —'])
    expect((await ask.json(`${path}/schema`)).columns[2]).to.deep.include(named)
    const lines = (await ask.text(`${path}.csv?preset=excel`)).trim().split('\r\n')
    expect(lines.slice(1, 4).map(line => line.split(/[,;](?=\w{3}[,;])/)[1])).to.deep.equal(
      lines[0]!.includes(';')
        ? ['EUR;1234,56', 'JPY;-5', 'KWD;24852,212']
        : ['EUR,1234.56', 'JPY,-5', 'KWD,24852.212'],
    )
    expect(cellsOf(await ask.bytes(`${path}.xlsx`), 'C')).to.deep.equal([
      '1234.56 ["€"#,##0.00_0]',
      '-5 ["¥"#,##0_0]',
      '24852.212 ["KWD"\\ #,##0.000_0]',
      '0 ["€"#,##0.00_0]',
      ' [@]',
    ])
    const key = join(temporaryFolder(), 'key')
    writeFileSync(key, 'key of client 1\n')
    const line = `run by_currency --key-file ${key} --from 2026-03-01 --to 2026-03-31`
    expect((await command(line, product.environment)).stdout).to.match(inWords('24852,212'))
  })

  it('has a total in the currency that a parameter fixes', async () => {
    const { columns, totals, summary } = await ask.json(`${path}?currency=KWD`)
    expect(columns[2]).to.deep.include({ currency: 'KWD', digits: 3 })
    expect(totals).to.deep.include({ currency: 'KWD', amount: 24_852_212 })
    expect(summary).to.match(inWords('24852,212')).and.contain('KWD')
    const cells = cellsOf(await ask.bytes(`${path}.xlsx?currency=KWD`), 'C')
    expect(cells[1]).to.equal('24852.212 ["KWD"\\ #,##0.000_0]')
    const { columns: euros, totals: total } = await ask.json(`${path}?currency=EUR`)
    expect(euros[2]).not.to.have.any.keys('currency', 'digits')
    expect(total).to.deep.include({ currency: 'EUR', amount: 123_456 })
  })

  it('is compared row by row, in the same currency', async () => {
    const { compare } = await ask.json(`${path}?compare=year`)
    expect(compare.rows[1]).to.deep.include({ amount_change: -10, currency: 'JPY' })
    const named = compare.columns.find(({ key }: { key: string }) => key === 'amount_change')
    expect(named).to.deep.include({ currency: { column: 'currency' } })
    expect(compare.totals.amount_change).to.equal(null)
    const cells = cellsOf(await ask.bytes(`${path}.xlsx?compare=year`), 'E')
    expect(cells[1]).to.equal('-10 ["¥"#,##0_0]')
  })

  it('shows amounts of an unknown code and of none as plain numbers, and logs it', async () => {
    await product.change(`
      update invoices set paid_currency = 'XXX' where id = 1;
      update invoices set paid_currency = null where id = 2`)
    const day = '?from=2026-03-01&to=2026-03-02'
    const { url, observations } = product.gateway
    const { bytes } = await asker(url, 'key of client 1')(`${path}.xlsx${day}`)
    const cells = cellsOf(bytes, 'C')
    expect(cells.slice(0, 2)).to.deep.equal(['123456 [#,##0_0]', '-5 [#,##0_0]'])
    const found = observations.find(({ kind }) => kind === 'currencies-unknown')
    expect(found).to.deep.include({ definition: 'by_currency', column: 'currency', valueCount: 2 })
  })
})

it("a parameter or an organization has the product's own currency, which ISO 4217 does not have", async () => {
  const own = 'code: BTC, digits: 4'
  const files = { ...ACCESS, ...fixtures(BY_CURRENCY) }
  const { environment, change } = await invoicesEnvironment('code: EUR', own, files)
  await change(`update invoices set paid_currency = 'BTC' where id = 3`)
  const gateway = await startGateway(environment, { wall: () => NOON })
  const { totals, summary } = await askerOf({ gateway }).json('/reports/by_currency?currency=BTC')
  expect(totals.amount).to.equal(24_852_212)
  expect(summary).to.match(inWords('2485,2212'))
  await change(`update clients set currency = 'BTC' where id = 2`)
  const { currency, digits } = await askerOf({ gateway }, 'key of client 2').json('/ping')
  expect({ currency, digits }).to.deep.equal({ currency: 'BTC', digits: 4 })
  await gateway.stop()
})

it('a parameter that selects no currency is no total of several', async () => {
  const file = `${BY_CURRENCY}.sql`
  const careless = fixture(BY_CURRENCY).replace(
    'or paid_currency = :currency',
    "or :currency <> ''",
  )
  const { environment } = await invoicesEnvironment('', '', { [file]: careless })
  const gateway = await startGateway(environment, { wall: () => NOON })
  const ask = asker(gateway.url, 'key of client 1')
  expect((await ask(`/reports/by_currency?currency=EUR&${PERIOD}`)).status).to.equal(500)
  const logged = JSON.stringify(
    gateway.observations.map(one => ({ ...one, error: String(Object(one).error) })),
  )
  expect(logged).to.contain('column \\"currency\\" is \\"JPY\\", expected EUR as the parameter')
  await gateway.stop()
})

it('check finds money of several currencies that declares none', async () => {
  const careless = fixture(BY_CURRENCY).replace(', currency: currency', '')
  const { environment } = await invoicesEnvironment('', '', { [`${BY_CURRENCY}.sql`]: careless })
  const { stdout } = await command('check by_currency', environment)
  expect(stdout).to.contain(
    'by_currency.sql:6: warning: amount is money of one currency, and currency names one in each row, expected currency: currency [mixed-currencies]',
  )
})

it('check finds an aggregate of a column of several currencies', async () => {
  const file = `${BY_CURRENCY}.sql`
  const careless = fixture(BY_CURRENCY)
    .replace('key: [number', 'facts:\n  most: { type: money, total: max(amount) }\nkey: [number')
    .replace('for {amount}', 'for {most}')
  const { environment } = await invoicesEnvironment('', '', { [file]: careless })
  const { stdout, stderr } = await command('check by_currency', environment)
  expect(stdout + stderr).to.match(
    /by_currency\.sql:8: warning: most combines amounts of several currencies, .* currency: currency \[mixed-currencies\]/,
  )
})

describe('money in whole units', () => {
  const product = productOfBlock('', '', {
    ...fixtures('reports/sales/paid', 'metrics/paid'),
    'access/organizations.sql': `
      select id as organization_id, 'client ' || id as nickname, 'UTC' as time_zone, currency
      from clients`,
  })

  it('is scaled by the digits of its currency, in rows, totals, facts and metrics', async () => {
    const { ask } = product
    await product.change('update invoices set paid_amount = 0.24 where id = 3')
    const { rows, totals, summary } = await ask.json('/reports/paid?currency=KWD')
    expect(rows).to.deep.equal([{ number: 'A-3', currency: 'KWD', paid: 240, in_euros: 12 }])
    expect(totals).to.deep.include({ paid: 240, in_euros: 12 })
    expect(summary).to.match(inWords('0,240')).and.match(inWords('0,12'))
    const { rows: yens } = await ask.json('/reports/paid?currency=JPY')
    expect(yens[0]).to.deep.include({ paid: 2_918_916, in_euros: 145_945_800 })
    expect((await ask.json('/metrics?codes=paid')).metrics[0].value).to.equal(1230)
    const { columns } = await ask.json('/reports/paid/schema')
    expect(columns[3]).to.deep.include({ unit: '1/100 EUR', digits: 2 })
    const line = 'run invoices --org 2 --from 2026-03-01 --to 2026-03-31'
    const { stdout } = await command(line, product.environment)
    expect(stdout).to.match(inWords('1234,567')).and.contain('KWD')
  })

  it('is never rounded: the request is 500, with a line that names column and value', async () => {
    await product.change('update invoices set paid_amount = 0.5 where id = 2')
    const { url, observations } = product.gateway
    const headers = { 'Cache-Control': 'no-cache' }
    const paid = `/reports/paid?${PERIOD}&currency=JPY`
    expect((await asker(url, 'key of client 1')(paid, { headers })).status).to.equal(500)
    const causes = observations.map(one => String(Object(one).cause ?? Object(one).error))
    expect(causes.join('\n')).to.contain('paid: "0.5" is no money')
    const { stdout } = await command('check paid --org 1', product.environment)
    expect(stdout).to.match(/paid\.sql:6: error: column "paid" is "0\.5" in a row/)
  })

  it('of an unknown code is a plain number if it is whole, else an error that names both', async () => {
    const { url, observations } = product.gateway
    const ofDay = async (amount: string): Promise<Answer> => {
      await product.change(
        `update invoices set paid_currency = 'XXX', paid_amount = ${amount} where id = 2`,
      )
      const headers = { 'Cache-Control': 'no-cache' }
      const path = '/reports/paid?from=2026-03-02&to=2026-03-02'
      return asker(url, 'key of client 1')(path, { headers })
    }
    expect((await ofDay('12.00')).text).to.contain('"currency":"XXX","paid":12,')
    expect((await ofDay('12.34')).status).to.equal(500)
    const causes = observations.map(one => String(Object(one).cause ?? Object(one).error))
    expect(causes.join('\n')).to.contain(
      'column "currency" is "XXX", expected a code of ISO 4217: paid is 12.34 of an unknown unit',
    )
  })
})
