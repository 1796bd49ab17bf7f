import { expect } from 'chai'
import { expectProblem, type Ask } from '../harness/ask.ts'
import { fixture } from '../harness/fixtures.ts'
import { gatewaysOfTests, shopsGateway } from '../harness/shops-gateway.ts'
import { shopsFolder } from './gateways.ts'

const HIDDEN = fixture('reports/sales/work')

describe('GET /reports/:code/schema', () => {
  const world = shopsGateway()
  const { ask } = world
  const gateway = gatewaysOfTests()
  const askOf = async (text: string): Promise<Ask> => {
    const { ask: other } = await gateway({
      SQL_DIR: shopsFolder({ 'reports/sales/work.sql': text }),
    })
    return other
  }

  it('has columns, key, units, aggregation and limits', async () => {
    const { status, json } = await (await askOf(HIDDEN))('/reports/work/schema')
    expect(status).to.equal(200)
    const { columns, formats, shape, definition, ...report } = json
    expect(report).to.deep.equal({
      code: 'work',
      title: 'Работа',
      group: 'sales',
      description: 'Строка — день работы.',
      dateBasis: { code: 'completion', title: 'по дате завершения' },
      key: ['day'],
      chart: { kind: 'columns', measures: ['hours'], label: 'day' },
      limits: {
        freshSeconds: { open: 60, closed: 3600 },
        staleSeconds: 86_400,
        timeoutSeconds: 5,
        maxRows: 10_000,
      },
      compare: ['previous', 'year'],
    })
    const none = { rows: 'none', periods: 'none' }
    const text = { unit: null, nullable: true, role: 'dimension', aggregation: none }
    const measure = { ...text, role: 'measure' }
    expect(columns).to.deep.equal([
      { key: 'day', title: 'День', type: 'date', ...text, nullable: false },
      { key: 'who', title: 'Кто', type: 'text', ...text, nullable: false, role: 'label' },
      {
        key: 'hours',
        title: 'Часов',
        type: 'number',
        ...measure,
        unit: 'hour',
        aggregation: { rows: 'sum', periods: 'sum' },
      },
      { key: 'sold', title: 'Продано', type: 'number', ...measure, unit: { column: 'measure' } },
      { key: 'measure', title: 'Ед.', type: 'text', ...text },
      {
        key: 'paid',
        title: 'Выплачено',
        type: 'money',
        ...measure,
        unit: 'kopeck',
        currency: 'RUB',
        digits: 2,
        aggregation: { rows: 'none', periods: 'last' },
      },
      { key: 'share', title: 'Доля', type: 'percent', ...measure, unit: 'percent' },
    ])
    expect(
      formats.map(({ format, money, percent }: Format) => [format, money, percent]),
    ).to.deep.equal([
      ['json', 'kopeck', 15.3],
      ['ndjson', 'kopeck', 15.3],
      ['csv', 'kopeck', 15.3],
      ['csv?preset=excel', 'RUB', 15.3],
      ['xlsx', 'RUB', 0.153],
      ['parquet', 'kopeck', 15.3],
    ])
    for (const hash of [shape, definition]) expect(hash).to.match(/^[\w-]{16}$/)
  })

  interface Format {
    readonly format: string
    readonly money: string
    readonly percent: number
  }

  it('has hashes that change with what they are of, and with nothing else', async () => {
    const hashes = async (text: string): Promise<string[]> => {
      const { json } = await (await askOf(text))('/reports/work/schema')
      return [json.shape, json.definition]
    }
    const [shape, definition] = await hashes(HIDDEN)
    const retitled = HIDDEN.replace('title: Часов', 'title: Ч').replace('-- a', '--  another')
    expect(await hashes(retitled), 'title and comment').to.deep.equal([shape, definition])
    const [ofUnit, sameDefinition] = await hashes(HIDDEN.replace('unit: hour', 'unit: minute'))
    expect(ofUnit).to.not.equal(shape)
    expect(sameDefinition).to.equal(definition)
    const [sameShape, ofSql] = await hashes(HIDDEN.replace('1.5', '2.5'))
    expect(sameShape).to.equal(shape)
    expect(ofSql).to.not.equal(definition)
    const [, ofTotal] = await hashes(HIDDEN.replace('max(paid)', 'min(paid)'))
    expect(ofTotal).to.not.equal(definition)
  })

  it('is not modified until definitions change, and executes nothing', async () => {
    const { status, headers } = await ask('/reports/receipts/schema')
    expect(status).to.equal(200)
    expect(headers.get('Cache-Control')).to.equal('private, no-cache')
    expect(headers.get('Cache-Status')).to.equal(null)
    const etag = headers.get('ETag')!
    const again = await ask('/reports/receipts/schema', { headers: { 'If-None-Match': etag } })
    expect(again.status).to.equal(304)
  })

  it('is 404 for unknown reports and formats, and 405 for other methods', async () => {
    for (const path of ['/reports/none/schema', '/reports/receipts.csv/schema']) {
      expectProblem(await ask(path), 404, 'report_not_found', path)
    }
    const { status } = await ask('/reports/receipts/schema', { method: 'POST' })
    expect(status).to.equal(405)
    expect((await ask('/reports/receipts/schema/')).status).to.equal(404)
  })

  it('describes the columns of the report', async () => {
    const { json: report } = await ask('/reports/receipts')
    const { json: schema } = await ask('/reports/receipts/schema')
    const columns = schema.columns.map(({ key, title, type }: Record<string, string>) => ({
      key,
      title,
      type,
    }))
    expect(columns).to.deep.equal(report.columns)
    const { json: list } = await ask('/reports')
    const { code, title, group, key, description } = schema
    const { dateBasis } = schema
    const listed = { code, title, group, key, description, dateBasis, keywords: [] }
    expect(list.reports).to.deep.include(listed)
  })

  it('lists words by which people look for the report, and the date that it goes by', async () => {
    const worded = HIDDEN.replace('columns:', 'keywords: [труд, смена]\ncolumns:')
    const { json } = await (await askOf(worded))('/reports')
    expect(json.reports.find(({ code }: { code: string }) => code === 'work')).to.deep.include({
      dateBasis: { code: 'completion', title: 'по дате завершения' },
      keywords: ['труд', 'смена'],
    })
  })
})

describe('a deprecated report', () => {
  const gateway = gatewaysOfTests()

  it('says since when, and when it may be removed', async () => {
    const dates = HIDDEN.replace(
      'key: [day]',
      'key: [day]\ndeprecated: { since: 2026-12-01, sunset: 2027-06-01 }',
    )
    const { ask } = await gateway({ SQL_DIR: shopsFolder({ 'reports/sales/work.sql': dates }) })
    for (const path of ['/reports/work', '/reports/work', '/reports/work.csv']) {
      const { status, headers } = await ask(path)
      expect(status).to.equal(200)
      expect(headers.get('Deprecation')).to.equal(`@${Date.UTC(2026, 11, 1) / 1000}`)
      expect(headers.get('Sunset')).to.equal('Tue, 01 Jun 2027 00:00:00 GMT')
    }
    const { json } = await ask('/openapi.json')
    expect(json.paths['/reports/work'].get.deprecated).to.equal(true)
    expect(json.paths['/reports/receipts'].get.deprecated).to.equal(false)
  })
})

describe('GET /metrics/schema', () => {
  const { ask } = shopsGateway()

  it('has the unit and the freshness of each metric', async () => {
    const { status, json } = await ask('/metrics/schema')
    expect(status).to.equal(200)
    const units = json.metrics.map((metric: Record<string, unknown>) => [
      metric['code'],
      metric['format'],
      metric['unit'],
    ])
    expect(units).to.deep.equal([
      ['revenue', 'money', 'kopeck'],
      ['receipts', 'integer', null],
      ['average', 'money', 'kopeck'],
      ['share_of_returns', 'percent', 'percent'],
      ['hours_on_average', 'hours', 'hour'],
      ['days_since', 'days', 'day'],
      ['weight', 'number', null],
    ])
    expect(json.metrics[0].freshSeconds).to.have.keys('open', 'closed')
    expect(json.shape).to.match(/^[\w-]{16}$/)
  })
})
