import { expect } from 'chai'
import { readWorkbook } from '../formats/xlsx/reader.ts'
import type { Answer } from '../harness/ask.ts'
import { scrape } from '../harness/exposition.ts'
import { fixtures } from '../harness/fixtures.ts'
import { NOON, shopsGateway } from '../harness/shops-gateway.ts'
import { capture } from '../observe/observed.ts'
import { shopsFolder } from './gateways.ts'

const dividedBy = (divisor: string): string => `/*---
title: Доли
columns:
  name: { title: Имя, type: text }
  part: { title: Часть, type: integer, total: sum(part) }
key: [name]
summary: За {period} строк {row_count}.
shared: true
parameters:
  by: { title: На сколько, type: integer }
---*/
select 'a' as name, :organization_id * coalesce(:by::bigint, 1) / ${divisor} as part
order by name`

const metricsOf = (code: string, parameters: string, condition: string): string => `/*---
metrics:
  ${code}: { title: Сумма, format: money }
${parameters}---*/
select coalesce(sum(amount_kopecks), 0) as ${code} from receipts
where sold_at >= :period_start_at and sold_at < :period_end_at ${condition}`
const LEAST = 'parameters:\n  least: { title: От суммы, type: money, default: 0 }\n'

describe('parameters of a report', () => {
  const directory = shopsFolder({
    ...fixtures(
      'reports/sales/chosen',
      'reports/sales/needed',
      'reports/sales/listed',
      'reports/sales/partly',
    ),
    'reports/sales/divided.sql': dividedBy('coalesce(:by::bigint, 1)'),
    'reports/sales/never.sql': dividedBy('0'),
    'metrics/one.sql': metricsOf('least_sum', LEAST, 'and amount_kopecks >= :least'),
    'metrics/two.sql': metricsOf('negative_sum', LEAST, 'and amount_kopecks < :least'),
    'metrics/share.sql': metricsOf(
      'share',
      'parameters:\n  by: { title: На сколько, type: integer }\n',
      'and 1 / coalesce(:by, 1) >= 0',
    ),
    'metrics/other.sql': metricsOf(
      'other_sum',
      LEAST.replace('0 }', '1 }'),
      'and amount_kopecks < :least',
    ),
    'metrics/three.sql': metricsOf('plain_sum', '', ''),
  })
  let laterMs = 0
  const world = shopsGateway({ SQL_DIR: directory }, { now: () => NOON + laterMs })
  const { ask } = world
  const english = { headers: { 'Accept-Language': 'en' } }
  const chosen = (query: string): Promise<Answer> => ask(`/reports/chosen?${query}`, english)
  const idsOf = ({ json }: Answer): string =>
    json.rows.map(({ receipt }: { receipt: string }) => receipt).join(' ')

  const SELECTED = `
    from=2026-01-01           | 101 102 103 104 | {"least":-100}
    receipt=102               | 102             | {"least":-100,"receipt":102}
    receipt=201               |                 | {"least":-100,"receipt":201}
    least=1                   | 101 102 104     | {"least":1}
    least=9007199254740993    | 102             | {"least":9007199254740993}
    sign=minus                | 103             | {"least":-100,"sign":"minus"}
    heavier=1.50              | 102             | {"heavier":1.5,"least":-100}
    heavier=-0                | 101 102 104     | {"heavier":0,"least":-100}
    sold_on=2026-03-01        | 103             | {"least":-100,"sold_on":"2026-03-01"}
    noted=false               | 103             | {"least":-100,"noted":false}
    mark=00000000-0000-4000-8000-00000000000A | 101 102 103 104 | {"least":-100,"mark":"00000000-0000-4000-8000-00000000000a"}
    note=%27%20or%20true%20-- |                 | {"least":-100,"note":"' or true --"}
    sign=plus&least=2         | 101 102         | {"least":2,"sign":"plus"}
  `
  for (const line of SELECTED.trim().split('\n')) {
    const [query = '', rows = '', parameters = ''] = line.split('|').map(part => part.trim())
    it(`select rows: ${query}`, async () => {
      const answer = await chosen(query)
      expect(answer.status, answer.text).to.equal(200)
      expect(idsOf(answer)).to.equal(rows)
      expect(answer.text).to.contain(`{"code":"chosen","parameters":${parameters},"period":{`)
    })
  }

  const REJECTED = `
    receipt=+1    | Parameter receipt ("Чек") is " 1"; expected a whole number.
    receipt=01    | Parameter receipt ("Чек") is "01"; expected a whole number.
    receipt=9223372036854775808 | Parameter receipt ("Чек") is "9223372036854775808"; expected a whole number.
    receipt=      | Parameter receipt ("Чек") is empty; expected a whole number.
    receipt=1&receipt=1 | Parameter receipt is given more than once; expected once.
    least=-101    | Parameter least ("От суммы") is "-101"; expected at least -100.
    least=9007199254740994 | Parameter least ("От суммы") is "9007199254740994"; expected at most 9007199254740993.
    sign=zero     | Parameter sign ("Знак") is "zero"; expected one of plus, minus.
    heavier=1e3   | Parameter heavier ("Тяжелее") is "1e3"; expected a decimal number of at most 38 digits, with a point.
    sold_on=2026-02-30 | Parameter sold_on ("Продан") is "2026-02-30"; expected a date such as 2026-01-31.
    sold_on=2024-12-31 | Parameter sold_on ("Продан") is "2024-12-31"; expected at least 2025-01-01.
    note=a%0Ab    | Parameter note ("Заметка") is "a?b"; expected a text of 1 to 200 characters without control characters.
    note=%CC%E5%F7      | Parameter note ("Заметка") is "���"; expected a text of 1 to 200 characters without control characters.
    noted=1       | Parameter noted ("С заметкой") is "1"; expected true or false.
    mark=x        | Parameter mark ("Метка") is "x"; expected a UUID such as 5d0a0000-0000-4000-8000-000000000001.
    note=${'x'.repeat(201)} | Parameter note ("Заметка") is "${'x'.repeat(40)}...
    sign=zero&noted=1&from=x | Parameter noted ("С заметкой") is "1"; expected true or false.
    warehouse=1   | There is no parameter warehouse; expected from, to, compare, format, preset, end, heavier, least, mark, note, noted, receipt, sign, sold_on.
  `
  for (const line of REJECTED.trim().split('\n')) {
    const [query = '', detail = ''] = line.split('|').map(part => part.trim())
    it(`reject ${query.slice(0, 40)}`, async () => {
      const { status, json } = await chosen(query)
      expect([status, json.code]).to.deep.equal([400, 'bad_request'])
      if (detail.endsWith('...')) expect(json.detail).to.contain(detail.slice(0, 40))
      else expect(json.detail).to.equal(detail)
    })
  }

  it('that are required are asked for', async () => {
    const { status, json } = await ask('/reports/needed', english)
    expect([status, json.detail]).to.deep.equal([
      400,
      'Parameter receipt ("Чек") is missing; expected a whole number.',
    ])
    expect(idsOf(await ask('/reports/needed?receipt=101'))).to.equal('101')
  })

  it('have one entry, tag and location for all forms of a value', async () => {
    const first = await chosen('heavier=0.500&sign=plus&from=2026-01-01')
    const others = await Promise.all(
      ['sign=plus&heavier=0.5', 'heavier=00.50&least=-100&sign=plus&to=2026-12-31'].map(chosen),
    )
    expect(first.headers.get('Content-Location')).to.equal(
      '/api/public/v1/reports/chosen?from=2026-01-01&to=2026-12-31&heavier=0.5&sign=plus',
    )
    for (const { headers } of others) {
      expect(headers.get('Cache-Status')).to.contain('hit')
      for (const name of ['ETag', 'Content-Location'])
        expect(headers.get(name)).to.equal(first.headers.get(name))
    }
    const other = await chosen('heavier=0.5&sign=minus')
    expect(other.headers.get('ETag')).to.not.equal(first.headers.get('ETag'))
    const again = await ask('/reports/chosen?sign=plus&heavier=.5', english)
    expect(again.status).to.equal(400)
  })

  it('apply to every format, to HEAD, to 304 and to both periods of a comparison', async () => {
    const csv = await ask('/reports/chosen.csv?receipt=103')
    expect(csv.text.trim().split('\n').slice(1)).to.have.length(1)
    const etag = csv.headers.get('ETag')!
    const head = await ask('/reports/chosen.csv?receipt=103', { method: 'HEAD' })
    expect(head.headers.get('ETag')).to.equal(etag)
    const cached = { headers: { 'If-None-Match': etag } }
    expect((await ask('/reports/chosen.csv?receipt=103', cached)).status).to.equal(304)
    expect((await ask('/reports/chosen.csv?receipt=104', cached)).status).to.equal(200)
    const disposition = csv.headers.get('Content-Disposition')!
    expect(disposition).to.contain('filename="chosen-receipt-103_2026-01-01_2026-12-31.csv"')
    expect(decodeURIComponent(disposition)).to.contain(', От суммы −1,00\u00a0₽; Чек 103.csv')
    for (const before of ['a', 'aa']) {
      const note = encodeURIComponent(before + '🙂'.repeat(60))
      expect((await ask(`/reports/chosen.csv?note=${note}`)).status).to.equal(200)
    }
    const xlsx = await ask('/reports/chosen.xlsx?receipt=12345')
    const { lines } = readWorkbook(xlsx.bytes)
    expect(lines).to.include('Отбор: От суммы: −1,00\u00a0₽; Чек: 12345')
    const period = 'from=2026-03-01&to=2026-03-31&compare=previous'
    const both = await chosen(`${period}&least=-60`)
    expect(both.json.compare.rows).to.have.length(2)
    const { json, headers } = await chosen(`${period}&sign=minus`)
    expect(headers.get('Content-Location')).to.contain('&sign=minus&compare=previous')
    expect([json.compare.rows.length, json.parameters.sign]).to.deep.equal([1, 'minus'])
  })

  const SENTENCES = [
    ['', ''],
    ['least=-100', ''],
    ['sign=plus&receipt=104', ' (Чек: 104; Знак: Приход)'],
    ['least=0', ' (От суммы: 0,00\u00a0₽)'],
    [`note=${encodeURIComponent('🙂'.repeat(200))}`, ` (Заметка: ${'🙂'.repeat(95)}...)`],
  ] as const
  for (const [query, words] of SENTENCES)
    it(`are named in the sentence: ${query.slice(0, 40)}`, async () => {
      const { summary } = (await chosen(query)).json
      expect(
        summary.replace(/^За 2026 год (?:на [−\d\u00a0]+,\d\d\u00a0₽|данных нет)/, ''),
      ).to.equal(`${words}.`)
    })

  it('have the values of the organization', async () => {
    const { json, headers, text } = await ask('/reports/chosen/parameters')
    expect(json, text).to.include.keys('parameters')
    const named = new Map<string, Record<string, unknown>>(
      json.parameters.map((one: { name: string }) => [one.name, one]),
    )
    expect([...named.keys()].join()).to.equal('heavier,least,mark,note,noted,receipt,sign,sold_on')
    expect(named.get('least')).to.deep.equal({
      name: 'least',
      title: 'От суммы',
      type: 'money',
      required: false,
      default: -100,
      minimum: -100,
      maximum: Number('9007199254740993'),
      values: null,
    })
    expect(named.get('receipt')).to.deep.include({
      values: [105, 104, 103, 102, 101].map(value => ({ value, label: `Чек ${value}` })),
    })
    expect(named.get('sign')).to.deep.include({
      values: [
        { value: 'plus', label: 'Приход' },
        { value: 'minus', label: 'Возврат' },
      ],
    })
    expect(headers.get('Data-As-Of')).to.match(/^20/)
    const second = await ask('/reports/chosen/parameters', { key: 'key of shop 2' })
    expect(second.text).to.contain('Чек 202').and.not.contain('Чек 101')
    const again = await ask('/reports/chosen/parameters')
    expect(again.headers.get('Cache-Status')).to.contain('hit')
    expect((await ask('/reports/receipts/parameters')).json).to.deep.equal({ parameters: [] })
    expect((await ask('/reports/nothing/parameters')).status).to.equal(404)
    const unknown = await ask('/reports/chosen/parameters?x=1', english)
    expect(unknown.json.detail).to.equal('There is no parameter x; expected none.')
  })

  it('lists the texts that a request can ask for, with whole characters', async () => {
    const { json } = await ask('/reports/listed/parameters')
    const label = 'a'.repeat(499)
    expect(json.parameters[0].values).to.deep.equal([
      { value: 'полночь «в Москве»', label },
      { value: 'next year', label },
    ])
  })

  it('are described without the values that are not available', async () => {
    const listed = async () => {
      const { status, json, headers } = await ask('/reports/partly/parameters')
      expect(status).to.equal(200)
      const lists = json.parameters.map(
        (one: { name: string; values: object[] | null; unavailable?: true }) =>
          [one.name, one.values?.length, one.unavailable ?? false].join(' '),
      )
      return [...lists, headers.get('Cache-Status')]
    }
    const change = (sql: string) => world.shops.change(sql)
    await change('update receipts set amount_kopecks = 0 where id = 104')
    const missing = ['broken  true', 'note 2 false', 'serial 10000 false', 'slow  true']
    expect(await listed()).to.deep.equal([...missing, 'svodka; fwd=miss; stored'])
    await change('update receipts set amount_kopecks = 1 where id = 104')
    expect(await listed()).to.include.members(['broken  true'])
    // why: the cache remembers a failure
    laterMs = 60_000
    expect(await listed()).to.include.members(['broken 5 false', 'slow  true'])
  })

  it('are compressed, and metrics too', async () => {
    for (const path of ['/reports/listed/parameters', '/metrics?compare=year']) {
      const plain = await ask(path, { headers: { 'Accept-Encoding': 'identity' } })
      for (let count = 0; count < 3; count += 1) {
        const { headers, json } = await ask(path, { headers: { 'Accept-Encoding': 'gzip' } })
        expect(headers.get('Content-Encoding'), path).to.equal('gzip')
        expect(headers.get('Cache-Status')).to.contain('hit')
        expect(Number(headers.get('Content-Length'))).to.be.lessThan(plain.text.length / 2)
        expect(json).to.deep.equal(plain.json)
        const etag = headers.get('ETag')!
        expect(etag).to.not.equal(plain.headers.get('ETag'))
        const condition = { 'Accept-Encoding': 'gzip', 'If-None-Match': etag }
        expect((await ask(path, { headers: condition })).status).to.equal(304)
      }
    }
  })

  it('are described by the schema and by OpenAPI', async () => {
    const { json } = await ask('/reports/chosen/schema')
    expect(json.parameters.map(({ name }: { name: string }) => name)).to.have.length(8)
    expect((await ask('/reports/receipts/schema')).json).to.not.have.property('parameters')
    const { paths } = (await ask('/openapi.json')).json
    const { parameters } = paths['/reports/chosen'].get
    expect(parameters.find(({ name }: { name?: string }) => name === 'sign').schema).to.deep.equal({
      type: 'string',
      minLength: 1,
      maxLength: 200,
      enum: ['plus', 'minus'],
    })
    expect(paths).to.include.keys('/reports/chosen/parameters', '/reports/receipts/parameters')
    const ofMetrics = paths['/metrics'].get.parameters
    expect(ofMetrics.find(({ name }: { name?: string }) => name === 'least')).to.include({
      in: 'query',
      required: false,
    })
  })

  it('of metrics are those that all of them declare', async () => {
    const { json, headers } = await ask('/metrics?codes=least_sum,negative_sum&least=1')
    expect(json.metrics.map(({ value }: { value: number }) => value)).to.deep.equal([
      9007199254751044, -50,
    ])
    expect(json.parameters).to.deep.equal({ least: 1 })
    expect(headers.get('Content-Location')).to.match(/&from=2026-01-01&to=2026-12-31&least=1$/)
    const other = await ask('/metrics?codes=least_sum,plain_sum&least=1', english)
    expect([other.status, other.json.detail]).to.deep.equal([
      400,
      'These metrics have no parameter least: plain_sum. List those that have it in codes.',
    ])
    const differing = await ask('/metrics?codes=least_sum,other_sum&least=1', english)
    expect([differing.status, differing.json.detail]).to.deep.equal([
      400,
      'These metrics have no parameter least: other_sum. List those that have it in codes.',
    ])
    const undeclared = await ask('/metrics?codes=plain_sum&least=1', english)
    expect([undeclared.status, undeclared.json.detail]).to.deep.equal([
      400,
      'These metrics have no parameter least: plain_sum. List those that have it in codes.',
    ])
    const defaults = await ask('/metrics?codes=least_sum,other_sum')
    expect([defaults.status, 'parameters' in defaults.json]).to.deep.equal([200, false])
    const wrong = await ask('/metrics?codes=least_sum&least=x&from=x', english)
    expect(wrong.json.detail).to.contain('Parameter least')
  })

  it('are in no metric, and in the log as their names and a hash', async () => {
    await chosen('note=secret-value')
    await ask('/reports/chosen?note=secret-value&sold_on=secret-value')
    const samples = await scrape(world.gateway.opsUrl)
    expect(JSON.stringify(samples)).to.not.contain('secret-value')
    const log = capture({ level: 'debug' })
    for (const fact of world.gateway.observations) log.observe(fact)
    const lines = log.lines().filter(line => line['report'] === 'chosen')
    expect(JSON.stringify(lines)).to.not.contain('secret-value')
    expect(lines.some(line => /^least,note [\w-]{12}$/.test(String(line['values'])))).to.equal(true)
  })

  it('are the fault of the client where the statement succeeds without them', async () => {
    for (const path of ['/reports/divided?by=0', '/metrics?codes=share&by=0'].flatMap(one => [
      one,
      `${one}&compare=year`,
    ])) {
      const { status, json } = await ask(path, english)
      expect([status, json.code]).to.deep.equal([400, 'bad_request'])
      expect(json.detail).to.contain('with these values: by.')
    }
    expect((await ask('/reports/divided?by=2')).status).to.equal(200)
    expect((await ask('/metrics?codes=share&by=2')).status).to.equal(200)
    expect((await ask('/reports/divided?by=0')).status).to.equal(400)
    expect((await ask('/reports/never?by=2')).json.code).to.equal('internal_error')
  })
})
