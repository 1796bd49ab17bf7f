import { expect } from 'chai'
import type { Ask } from '../harness/ask.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'

const NBSP = '\u00a0'

const receiptsOf = (json: { rows: ReadonlyArray<{ receipt: string }> }): string =>
  json.rows.map(({ receipt }) => receipt).join()

describe('GET /reports', () => {
  const world = shopsGateway()
  const ask: Ask = (path, options) => world.ask(path, options)

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

  it('ignores unknown parameters, also in cache keys', async () => {
    await ask('/reports/receipts?from=2026-05-01')
    const { headers } = await ask('/reports/receipts?from=2026-05-01&nonsense=1&limit=5')
    expect(headers.get('Cache-Status')).to.match(/^svodka; hit/)
  })

  it('rejects parameters that are meant for known ones, and names both', async () => {
    const meant: ReadonlyArray<readonly [path: string, name: string, meant: string]> = [
      ...['form', 'FROM', 'From', 'fromm', 'date_from', 'dateFrom', 'since', 'start-date'].map(
        name => ['/reports/receipts', name, 'from'] as const,
      ),
      ...['TO', 'date_to', 'until', 'end_date'].map(
        name => ['/reports/receipts.csv', name, 'to'] as const,
      ),
      ...['period', 'year', 'month'].map(name => ['/metrics', name, 'from, to'] as const),
      ['/reports/receipts', 'fromat', 'format'],
      ['/metrics', 'code', 'codes'],
      ['/metrics', 'CODES', 'codes'],
    ]
    for (const [path, name, known] of meant) {
      const { status, json } = await ask(`${path}?${name}=2026-01-01`)
      expect([status, json.code], `${path} ${name}`).to.deep.equal([400, 'bad_request'])
      expect(json.detail).to.equal(`Параметра ${name} нет, а ожидалось: ${known}.`)
    }
    for (const path of ['/reports', '/reports/receipts', '/metrics']) {
      for (const name of ['page', 'offset', 'cursor', 'Page']) {
        const { status, json } = await ask(`${path}?${name}=2`)
        expect([status, json.code], `${path} ${name}`).to.deep.equal([400, 'bad_request'])
        expect(json.detail).to.contain(`Параметра ${name} нет: ответ приходит целиком`)
      }
    }
  })

  it('ignores other parameters, and those of other paths', async () => {
    const ignored = ['_=1', 't=1', 'v=2', 'frm=2025', 'limit=5', 'utm_source=x', 'forms=1']
    for (const query of [...ignored, `${'from'.repeat(2000)}=1`]) {
      expect((await ask(`/reports/receipts?${query}`)).status, query.slice(0, 20)).to.equal(200)
    }
    for (const path of ['/reports?from=x', '/reports?year=2', '/ping?page=1', '/metrics?end=1']) {
      expect((await ask(path)).status, path).to.equal(200)
    }
  })

  it('rejects a repeated codes', async () => {
    const { status, json } = await ask('/metrics?codes=income&codes=income')
    expect([status, json.code]).to.deep.equal([400, 'bad_request'])
    expect(json.detail).to.contain('codes указан больше одного раза')
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
