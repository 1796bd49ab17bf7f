import { expect } from 'chai'
import { shopsGateway } from '../harness/shops-gateway.ts'

const NBSP = '\u00a0'

const receiptsOf = (json: { rows: ReadonlyArray<{ receipt: string }> }): string =>
  json.rows.map(({ receipt }) => receipt).join()

describe('GET /reports', () => {
  const { ask } = shopsGateway()

  it('lists every report with code, title, group, key and description', async () => {
    const { status, json, headers } = await ask('/reports')
    expect(status).to.equal(200)
    const receipts = json.reports.find(({ code }: { code: string }) => code === 'receipts')
    expect(receipts).to.include({
      code: 'receipts',
      title: 'Чеки',
      group: 'sales',
      description: null,
    })
    expect(headers.get('Cache-Control')).to.equal('private, no-cache')
    const again = await ask('/reports', { headers: { 'If-None-Match': headers.get('ETag')! } })
    expect(again.status).to.equal(304)
  })

  it('returns a report of the current year with columns, rows, totals and summary', async () => {
    const { status, json, headers, text } = await ask('/reports/receipts')
    expect(status).to.equal(200)
    expect(headers.get('Content-Type')).to.equal('application/json; charset=utf-8')
    expect(headers.get('Content-Location')).to.equal(
      '/api/public/v1/reports/receipts?from=2026-01-01&to=2026-12-31',
    )
    expect(Object.keys(json).join()).to.equal('code,period,columns,rows,totals,summary')
    expect(json.code).to.equal('receipts')
    expect(json.period).to.deep.equal({ from: '2026-01-01', to: '2026-12-31' })
    expect(json.columns[0]).to.deep.equal({ key: 'receipt', title: 'Номер', type: 'text' })
    expect(receiptsOf(json)).to.equal('101,102,103,104')
    expect(json.rows[0]).to.deep.equal({
      receipt: '101',
      day: '2026-01-01',
      month: '2026-01',
      sold_at: '2026-01-01T00:00:00+03:00',
      units: 1,
      weight: 0.125,
      amount: 10050,
      share: 100,
      note: 'полночь «в Москве»',
    })
    expect(json.rows[1].note).to.equal('line\nbreak, "quotes" 🙂')
    expect(json.rows[1].sold_at).to.equal('2026-02-28T15:00:00.25+03:00')
    expect(json.rows[2]).to.include({ weight: null, note: null })
    expect(text, 'exact digits').to.contain('"amount":9007199254740993,')
    expect(text).to.contain(
      '"totals":{"receipt":"Итого","day":"2026-01-01","month":null,"sold_at":null,"units":4,',
    )
    expect(text).to.contain('"amount":9007199254750994,"share":100.0,"note":null}')
    expect(json.summary).to.match(/^За 2026.год продано 4 товара на .*, крупнейший чек 102\.$/)
    expect(json.summary).to.contain(` 90${NBSP}071${NBSP}992${NBSP}547${NBSP}509,94${NBSP}₽,`)
  })

  it('omits hidden columns and facts from rows and totals', async () => {
    const { json } = await ask('/reports/receipts')
    for (const object of [json.rows[0], json.totals]) {
      expect(object).to.not.have.any.keys('paid', 'largest', 'is_total', 'row_count')
    }
  })

  it('returns totals that the statement computes itself', async () => {
    const { json } = await ask('/reports/receipts_by_month')
    expect(json.rows).to.deep.equal([
      { month: '2026-01', receipts: 1, median: 10050 },
      { month: '2026-02', receipts: 1, median: Number('9007199254740993') },
      { month: '2026-03', receipts: 1, median: -50 },
    ])
    expect(json.totals).to.deep.equal({ month: 'Итого', receipts: 3, median: 10050 })
    expect(json.summary).to.match(/на 21 ноября 2026.года\.$/)
  })

  it('without rows has the empty summary, sums of 0, null ratios and the same columns', async () => {
    const { json } = await ask('/reports/receipts', { key: 'key of shop 3' })
    expect(json.rows).to.deep.equal([])
    expect(json.columns).to.have.length(9)
    const totals = { receipt: 'Итого', units: 0, amount: 0, weight: 0, share: null, day: null }
    expect(json.totals).to.include(totals)
    expect(json.summary).to.match(/^За 2026.год чеков не было\.$/)
  })

  it('begins the year at midnight in the time zone of the organization', async () => {
    const { json } = await ask('/reports/receipts', { key: 'key of shop 2' })
    expect(receiptsOf(json)).to.equal('201,202')
    expect(json.rows[0].sold_at).to.equal('2026-01-01T00:00:00+10:00')
    expect(json.rows[1].sold_at).to.equal('2026-12-31T23:59:59+10:00')
  })

  it('accepts from and to inclusively, as dates and as instants', async () => {
    const spellings = [
      'from=2026-02-28&to=2026-03-01',
      'from=20260228&to=20260301',
      'from=2026-02-27T21:00:00Z&to=2026-03-01T23:59:59%2B03:00',
      'from=2026-02-28T00:00&to=2026-03-01T00:00:00+03:00',
    ]
    for (const query of spellings) {
      const { json, headers } = await ask(`/reports/receipts?${query}`)
      expect(json.period, query).to.deep.equal({ from: '2026-02-28', to: '2026-03-01' })
      expect(json.rows).to.have.length(2)
      expect(headers.get('Content-Location')).to.match(/from=2026-02-28&to=2026-03-01$/)
    }
  })

  it('ignores what browsers and tools add, also in cache keys', async () => {
    await ask('/reports/receipts?from=2026-05-01')
    const ignored = '_ t ts V cb noCache rnd timestamp UTM_Source utm_ gclid yclid ysclid fbclid'
    const keys = 'msclkid _openstat key API_KEY apikey token access_token'
    for (const name of `${ignored} ${keys}`.split(' ')) {
      const query = `?${name}=2025&from=2026-05-01&${name}=x`
      const { status, headers } = await ask(`/reports/receipts${query}`)
      expect([status, headers.get('Cache-Status')], name).to.match(/^200,svodka; hit/)
    }
    for (const path of ['/reports?from=x', '/reports/receipts/schema?year=2', '/ping?page=1']) {
      expect((await ask(path)).status, `${path}, where none is read`).to.equal(200)
    }
  })

  async function expectBadRequest(path: string, message: string): Promise<void> {
    const { status, json } = await ask(path, { headers: { 'Accept-Language': 'en' } })
    expect([status, json.code, json.detail], path).to.deep.equal([400, 'bad_request', message])
  }

  it('rejects unknown parameters and names the known ones', async () => {
    const period = 'from[] FROM form momentFrom date_start period_from begin quarter amp;to tt'
    const others = 'codes[] constructor __proto__ format[] utmsource from=2025-01-01&to=2025-01-31'
    const PAGING = 'page Page pageNumber page[size] per_page $skip limit cursor'.split(' ')
    const ofReports = 'from, to, compare, format, preset, end'
    for (const [path, known] of [
      ['/reports/receipts', ofReports],
      ['/reports/receipts.csv', ofReports],
      ['/metrics', 'from, to, compare, codes'],
    ] as const) {
      for (const name of `${period} ${others}`.split(' ')) {
        const query = `?from=2025-01-01&${encodeURIComponent(name)}=2025-01-31`
        await expectBadRequest(path + query, `There is no parameter ${name}; expected ${known}.`)
      }
      for (const name of PAGING) {
        const hint = `expected ${known}. All rows come at once, without pages.`
        await expectBadRequest(`${path}?${name}=2`, `There is no parameter ${name}; ${hint}`)
      }
    }
  })

  it('rejects more than 50 parameters, and repeated ones', async () => {
    const many = (count: number): string => `/metrics?${Array(count).fill('_=1').join('&')}`
    expect((await ask(many(50))).status).to.equal(200)
    for (const path of [many(51), many(2000), `/reports/receipts?${'%61=&'.repeat(2000)}`])
      await expectBadRequest(path, 'The request has more than 50 parameters.')
    for (const [path, name] of [
      ['/metrics?codes=income&codes=income', 'codes'],
      ['/reports/receipts.xlsx?end=true&_=1&end=true', 'end'],
      ['/reports/receipts?format=csv&format=csv', 'format'],
    ] as const)
      await expectBadRequest(path, `Parameter ${name} is given more than once; expected once.`)
  })

  it('responds to HEAD with the status and headers of GET, without a body', async () => {
    const names =
      'content-type content-length etag cache-control content-location vary data-as-of'.split(' ')
    for (const path of ['/ping', '/reports', '/reports/receipts', '/metrics', '/reports/none']) {
      const get = await ask(path)
      const head = await ask(path, { method: 'HEAD' })
      expect([head.status, head.text], path).to.deep.equal([get.status, ''])
      for (const name of names) {
        expect(head.headers.get(name), `${path} ${name}`).to.equal(get.headers.get(name))
      }
    }
  })
})
