import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import type { Ask } from '../support/ask.ts'
import { startGateway } from '../support/gateway.ts'
import { sharedShops, SHOPS_SQL_DIR, shopsEnvironment } from '../support/shops.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { shopsGateway } from '../support/world.ts'

describe('GET /metrics', () => {
  const world = shopsGateway()
  const ask: Ask = (path, options) => world.ask(path, options)

  it('answers all metrics of the current year', async () => {
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

  it('answers the codes asked for, in their order, each once, blanks and empty entries dropped', async () => {
    const { json } = await ask('/metrics?codes=weight,%20revenue%20,,weight,')
    expect(json.metrics.map(({ code }: { code: string }) => code)).to.deep.equal([
      'weight',
      'revenue',
    ])
    expect((await ask('/metrics?codes=,%20,')).json.metrics).to.have.length(7)
  })

  it('names the unknown codes in its problem', async () => {
    const { status, json } = await ask('/metrics?codes=revenue,nonsense,also')
    expect(status).to.equal(404)
    expect(json.code).to.equal('metric_not_found')
    expect(json.detail).to.contain('nonsense, also')
    expect(json.detail).to.not.contain('revenue')
    const many = Array.from({ length: 30 }, (_, n) => `unknown_${n}`)
    const all = await ask(`/metrics?codes=${many.join()},a%00b`)
    for (const code of [...many, 'a?b']) expect(all.json.detail).to.contain(code)
  })

  it('takes a period, and refuses a bad one before an unknown code', async () => {
    const { json, headers } = await ask('/metrics?codes=receipts&from=2026-02-01&to=2026-02-28')
    expect(json.metrics[0].value).to.equal(1)
    expect(headers.get('Content-Location')).to.equal(
      '/api/public/v1/metrics?codes=receipts&from=2026-02-01&to=2026-02-28',
    )
    expect((await ask('/metrics?codes=nonsense&from=x')).json.code).to.equal('bad_range')
  })

  it('is 0 for sums and counts over nothing and null for ratios', async () => {
    const { json } = await ask('/metrics?codes=revenue,receipts,average,share_of_returns', {
      key: 'key of shop 3',
    })
    expect(json.metrics.map(({ value }: { value: unknown }) => value)).to.deep.equal([
      0,
      0,
      null,
      null,
    ])
  })

  it('runs a file once for all its metrics, and not again while it is fresh', async () => {
    const from = world.gateway.observations.length
    await ask('/metrics?codes=revenue&from=2026-06-01')
    await ask('/metrics?codes=receipts,average&from=2026-06-01')
    const again = await ask('/metrics?codes=average&from=2026-06-01')
    expect(again.headers.get('Cache-Status')).to.match(/^svodka; hit/)
    const runs = world.gateway.observations.slice(from).filter(({ kind }) => kind === 'run')
    expect(runs).to.have.length(1)
  })

  it('answers 304 to the same figures', async () => {
    const { headers } = await ask('/metrics?codes=revenue')
    const again = await ask('/metrics?codes=revenue', {
      headers: { 'If-None-Match': `W/${headers.get('ETag')}` },
    })
    expect(again.status).to.equal(304)
    expect(again.text).to.equal('')
  })
})

describe('GET /metrics of a catalog without metrics', () => {
  it('answers an empty list, also from the cache, and names an unknown code', async () => {
    const folder = join(temporaryFolder(), 'sql')
    cpSync(SHOPS_SQL_DIR, folder, { recursive: true })
    rmSync(join(folder, 'metrics'), { recursive: true })
    const gateway = await startGateway({
      ...shopsEnvironment(await sharedShops()),
      SQL_DIR: folder,
    })
    try {
      await gateway.ready()
      const ask = asker(gateway.url, 'key of shop 1')
      const first = await ask('/metrics')
      expect([first.status, first.text]).to.deep.equal([200, '{"metrics":[]}\n'])
      const again = await ask('/metrics')
      expect([again.status, again.text]).to.deep.equal([200, '{"metrics":[]}\n'])
      const etag = first.headers.get('ETag') ?? ''
      const same = await ask('/metrics', { headers: { 'If-None-Match': etag } })
      expect(same.status).to.equal(304)
      const unknown = await ask('/metrics?codes=revenue')
      expect([unknown.status, unknown.json.code]).to.deep.equal([404, 'metric_not_found'])
    } finally {
      await gateway.stop()
    }
  })
})

describe('GET /metrics of files of which one fails', () => {
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

  it('aborts the executions of the others', async () => {
    const folder = join(temporaryFolder(), 'sql')
    cpSync(SHOPS_SQL_DIR, folder, { recursive: true })
    const files = {
      slow: 'count(*) + length(pg_sleep(20)::text)',
      // why: by then the slow one runs
      fails: '(count(*) + 1) / length(pg_sleep(0.3)::text)',
    }
    for (const [code, sql] of Object.entries(files)) {
      writeFileSync(join(folder, 'metrics', `${code}.sql`), metricFile(code, sql))
    }
    const gateway = await startGateway({
      ...shopsEnvironment(await sharedShops()),
      SQL_DIR: folder,
    })
    try {
      await gateway.ready()
      const { status, json } = await asker(gateway.url, 'key of shop 1')('/metrics')
      expect([status, json.code]).to.deep.equal([500, 'internal_error'])
      const slow = await until(() =>
        gateway.observations.find(
          fact => fact.kind === 'run' && fact.definition === 'metrics/slow',
        ),
      )
      expect(slow).to.include({ outcome: 'cancelled' })
    } finally {
      await gateway.stop()
    }
  })
})
