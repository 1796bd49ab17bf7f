import { expect } from 'chai'
import { expectProblem } from '../harness/ask.ts'
import { until } from '../harness/until.ts'
import { gatewaysOfTests, shopsGateway } from '../harness/shops-gateway.ts'
import { shopsFolder } from './gateways.ts'

describe('GET /metrics', () => {
  const world = shopsGateway()
  const { ask } = world

  it('returns all metrics of the current year', async () => {
    const { status, json, headers } = await ask('/metrics')
    expect(status).to.equal(200)
    expect(json.metrics).to.deep.equal([
      { code: 'revenue', title: 'Выручка', value: 9007199254750994, format: 'money' },
      { code: 'receipts', title: 'Чеков', value: 4, format: 'integer' },
      { code: 'average', title: 'Средний чек', value: 2251799813687749, format: 'money' },
      { code: 'share_of_returns', title: 'Доля возвратов', value: 25, format: 'percent' },
      { code: 'hours_on_average', title: 'Часов в среднем', value: 10.3, format: 'hours' },
      { code: 'days_since', title: 'Дней', value: 324, format: 'days' },
      { code: 'weight', title: 'Вес', value: 3.625, format: 'number' },
    ])
    expect(headers.get('Cache-Control')).to.equal('private, no-cache')
    expect(headers.get('ETag')).to.match(/^"[\w-]+"$/)
  })

  it('returns the requested codes in order, without duplicates, blanks and empty entries', async () => {
    const { json } = await ask('/metrics?codes=weight,%20revenue%20,,weight,')
    const codes = json.metrics.map(({ code }: { code: string }) => code)
    expect(codes).to.deep.equal(['weight', 'revenue'])
    expect((await ask('/metrics?codes=,%20,')).json.metrics).to.have.length(7)
  })

  it('names the unknown codes in its problem', async () => {
    const { status, json } = await ask('/metrics?codes=revenue,nonsense,also')
    expect(status).to.equal(404)
    expect(json.code).to.equal('metric_not_found')
    expect(json.detail).to.contain('nonsense, also')
    expect(json.detail).to.not.contain('revenue')
    const many = Array.from({ length: 50 }, (_, n) => `unknown_${n}`)
    const english = { headers: { 'Accept-Language': 'en' } }
    const five = await ask(
      `/metrics?codes=a%00b,,${many.join()},a%00b`.replace(',unknown_49', ''),
      english,
    )
    expect(five.json.detail).to.equal(
      'Unknown metrics: a?b, unknown_0, unknown_1, unknown_2, unknown_3 and 45 more. Without the parameter codes, all are returned.',
    )
    const { status: ofMore, json: more } = await ask(
      `/metrics?codes=revenue,${many.join()}`,
      english,
    )
    expect([ofMore, more.code, more.detail]).to.deep.equal([
      400,
      'bad_request',
      'codes names more than 50 metrics. Without the parameter codes, all are returned.',
    ])
  })

  it('accepts a period, and rejects an invalid one before an unknown code', async () => {
    const { json, headers } = await ask('/metrics?codes=receipts&from=2026-02-01&to=2026-02-28')
    expect(json.metrics[0].value).to.equal(1)
    expect(headers.get('Content-Location')).to.equal(
      '/api/public/v1/metrics?codes=receipts&from=2026-02-01&to=2026-02-28',
    )
    expect((await ask('/metrics?codes=nonsense&from=x')).json.code).to.equal('bad_range')
  })

  it('is 0 for sums and counts over nothing and null for ratios', async () => {
    const codes = '/metrics?codes=revenue,receipts,average,share_of_returns'
    const { json } = await ask(codes, { key: 'key of shop 3' })
    const values = json.metrics.map(({ value }: { value: unknown }) => value)
    expect(values).to.deep.equal([0, 0, null, null])
  })

  it('executes a file once for all its metrics, and not again while it is fresh', async () => {
    const from = world.gateway.observations.length
    await ask('/metrics?codes=revenue&from=2026-06-01')
    await ask('/metrics?codes=receipts,average&from=2026-06-01')
    const again = await ask('/metrics?codes=average&from=2026-06-01')
    expect(again.headers.get('Cache-Status')).to.match(/^svodka; hit/)
    const executions = world.gateway.observations
      .slice(from)
      .filter(({ kind }) => kind === 'execution')
    expect(executions).to.have.length(1)
  })

  it('responds 304 if the values are unchanged', async () => {
    const { headers } = await ask('/metrics?codes=revenue')
    const again = await ask('/metrics?codes=revenue', {
      headers: { 'If-None-Match': `W/${headers.get('ETag')}` },
    })
    expect(again.status).to.equal(304)
    expect(again.text).to.equal('')
  })
})

describe('GET /metrics with other definitions', () => {
  const start = gatewaysOfTests()

  it('returns an empty list if there are no metrics, also from the cache', async () => {
    const { ask } = await start({ SQL_DIR: shopsFolder({ metrics: undefined }) })
    const path = '/metrics?from=2026-02-03&to=2026-02-04'
    const first = await ask(path)
    const again = await ask(path)
    for (const { status, text } of [first, again]) {
      expect([status, text]).to.deep.equal([
        200,
        '{"metrics":[],"period":{"from":"2026-02-03","to":"2026-02-04"}}\n',
      ])
    }
    const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
    expect((await ask(path, { headers })).status).to.equal(304)
    expectProblem(await ask('/metrics?codes=revenue'), 404, 'metric_not_found')
  })

  const metricFile = (code: string, sql: string): string => `/*---
metrics:
  ${code}: { title: ${code}, format: integer }
---*/
select ${sql} as ${code}
from receipts
where receipts.shop_id = :organization_id
  and receipts.sold_at >= :period_start_at
  and receipts.sold_at < :period_end_at
`

  it('aborts the executions of other files if one fails', async () => {
    const SQL_DIR = shopsFolder({
      'metrics/slow.sql': metricFile('slow', 'count(*) + length(wait_seconds(20)::text)'),
      // why: the slow file is executing by then
      'metrics/fails.sql': metricFile(
        'fails',
        '(count(*) + 1) / coalesce(length(wait_seconds(0.3)::text), 0)',
      ),
    })
    const { gateway, ask } = await start({ SQL_DIR })
    expectProblem(await ask('/metrics'), 500, 'internal_error')
    const slow = await until(() =>
      gateway.observations.find(
        fact => fact.kind === 'execution' && fact.definition === 'metrics/slow',
      ),
    )
    expect(slow).to.include({ outcome: 'cancelled' })
  })
})
