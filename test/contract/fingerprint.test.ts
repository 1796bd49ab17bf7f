// A definition with a fingerprint of its own: /periods, and weak ETags of responses that are too large to be cached.
import { expect } from 'chai'
import type { Ask } from '../harness/ask.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { gatewaysOfTests, shopsFolder } from './gateways.ts'

/** 20,000 rows for each receipt, which are more than 1 MiB. */
const COPIES = `/*---
title: Копии чеков
columns:
  name: { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: За {period} {row_count} на {amount}.
maxRows: 1000000
fingerprint: |
  select (receipts.sold_at at time zone :time_zone)::date as day, receipts.id, receipts.amount_kopecks
  from receipts
  where receipts.shop_id = :organization_id
    and receipts.sold_at >= :period_start_at
    and receipts.sold_at < :period_end_at
---*/
select receipts.id || '-' || copy as name, receipts.amount_kopecks as amount
from receipts, generate_series(1, 20000) as copy
where receipts.shop_id = :organization_id
  and receipts.sold_at >= :period_start_at
  and receipts.sold_at < :period_end_at
order by receipts.id, copy
`

/** The balance of a month depends on earlier receipts. */
const BALANCE = `/*---
title: Остаток
columns:
  name: { title: Имя, type: text }
  balance: { title: Остаток, type: money, total: sum(balance) }
key: [name]
summary: За {period} {balance}.
fingerprint: |
  select (receipts.sold_at at time zone :time_zone)::date as day, true as is_history, receipts.amount_kopecks
  from receipts
  where receipts.shop_id = :organization_id and receipts.sold_at < :period_end_at
---*/
select 'остаток' as name, coalesce(sum(receipts.amount_kopecks), 0) as balance
from receipts
where receipts.shop_id = :organization_id and receipts.sold_at < :period_end_at
order by name
`

interface Month {
  readonly from: string
  readonly fingerprint: string
}

const OF_INSTANTS = BALANCE.replace('title: Остаток', 'title: Мгновения').replace(
  '(receipts.sold_at at time zone :time_zone)::date as day',
  'receipts.sold_at as day',
)

describe('a fingerprint whose day depends on the time zone of the session', () => {
  const start = gatewaysOfTests()

  it('is rejected, since a change near midnight would be one of another month', async () => {
    const SQL_DIR = shopsFolder({ 'reports/sales/instants.sql': OF_INSTANTS })
    const { gateway, ask } = await start({ SQL_DIR })
    expect((await ask('/reports/instants/periods?from=2026-01-01')).status).to.equal(500)
    const faults = gateway.observations.flatMap(one =>
      one.kind === 'definition-refused' && one.definition === 'instants' ? [String(one.error)] : [],
    )
    expect(faults.join()).to.match(/tsrange\(timestamp with time zone/)
  })
})

describe('a definition with a fingerprint', function () {
  this.timeout(30_000)
  const world = shopsGateway({
    SQL_DIR: shopsFolder({
      'reports/sales/copies.sql': COPIES,
      'reports/sales/balance.sql': BALANCE,
      'reports/sales/flood.sql': undefined,
    }),
    CACHE_MAX_ENTRY_BYTES: '1MiB',
  })
  const ask: Ask = (path, options) => world.ask(path, options)
  const path = '/reports/copies?from=2026-01-01&to=2026-12-31'
  const conditional = (etag: string, headers: Record<string, string> = {}) => ({
    headers: { 'If-None-Match': etag, ...headers },
  })

  async function etagOf(target: string, headers: Record<string, string> = {}): Promise<string> {
    const { status, headers: sent } = await ask(target, { headers, method: 'HEAD' })
    expect(status, target).to.equal(200)
    return sent.get('ETag') ?? ''
  }

  async function rowCounts(request: () => Promise<unknown>): Promise<number[]> {
    // why: an execution is observed after its connection is released
    const settle = () => new Promise(resolve => setTimeout(resolve, 300))
    await settle()
    const from = world.gateway.observations.length
    await request()
    await settle()
    const observed = world.gateway.observations.slice(from)
    return observed.flatMap(one => (one.kind === 'execution' ? [one.rowCount] : []))
  }

  async function changed<T>(column: string, id: number, use: () => Promise<T>): Promise<T> {
    await world.shops.change(`update receipts set ${column} = ${column} + 1 where id = ${id}`)
    try {
      return await use()
    } finally {
      await world.shops.change(`update receipts set ${column} = ${column} - 1 where id = ${id}`)
    }
  }

  it('streams with a weak ETag, and costs the fingerprint alone if nothing has changed', async () => {
    const { status, headers, json } = await ask(path)
    expect([status, json.rows.length]).to.deep.equal([200, 80_000])
    expect(headers.get('Content-Length')).to.equal(null)
    expect(headers.get('Accept-Ranges')).to.equal(null)
    const etag = headers.get('ETag')!
    expect(etag).to.match(/^W\/"f-[\w-]{27}"$/)
    for (const method of ['GET', 'HEAD']) {
      const counts = await rowCounts(async () => {
        const again = await ask(path, { method, ...conditional(etag) })
        expect([again.status, again.text, again.headers.get('ETag')]).to.deep.equal([304, '', etag])
        expect(again.headers.get('Data-As-Of')).to.be.a('string')
      })
      expect(counts, method).to.deep.equal([1])
    }
    expect(await etagOf(path), 'HEAD').to.equal(etag)
  })

  it('has another ETag after a change, and sends the rows', async () => {
    const etag = await etagOf(path)
    const other = await changed('amount_kopecks', 101, async () => {
      const { status, headers, json } = await ask(path, conditional(etag))
      expect([status, json.rows[0].amount]).to.deep.equal([200, 10051])
      return headers.get('ETag')
    })
    expect(other).to.match(/^W\/"f-/)
    expect(other).to.not.equal(etag)
    const { status, json } = await ask(path, conditional(other!))
    expect([status, json.rows[0].amount]).to.deep.equal([200, 10050])
    expect((await ask(path, conditional(etag))).status).to.equal(304)
  })

  it('has an ETag for each organization, period, format and content coding', async () => {
    const gzip = { 'Accept-Encoding': 'gzip' }
    const plain = { 'Accept-Encoding': 'identity' }
    const other = await ask(path, { key: 'key of shop 2', method: 'HEAD' })
    const etags = [
      await etagOf(path, plain),
      await etagOf(path, gzip),
      await etagOf(path.replace('2026-12-31', '2027-01-31'), plain),
      await etagOf(path.replace('copies', 'copies.csv'), plain),
      await etagOf(`${path.replace('copies', 'copies.csv')}&preset=excel`, plain),
      await etagOf(path.replace('copies', 'copies.ndjson'), plain),
      await etagOf(`${path.replace('copies', 'copies.ndjson')}&end=true`, plain),
      other.headers.get('ETag'),
    ]
    for (const etag of etags) expect(etag).to.match(/^W\/"f-/)
    expect(new Set(etags)).to.have.property('size', etags.length)
    const { status } = await ask(path, conditional(etags[1]!, plain))
    expect(status, 'another coding').to.equal(200)
  })

  it('is not executed for a weak ETag that the response never has', async () => {
    for (const query of ['', '&compare=year']) {
      const target = `/reports/balance?from=2026-01-01&to=2026-03-31${query}`
      const counts = await rowCounts(() => ask(target, conditional(`W/"f-${'a'.repeat(27)}"`)))
      expect(counts, target).to.deep.equal([1])
    }
  })

  it('has a strong ETag if the response is small', async () => {
    expect(await etagOf('/reports/copies?from=2020-01-01&to=2020-01-31')).to.match(/^"/)
    expect(await etagOf('/reports/register?from=2020-01-01&to=2020-01-31')).to.equal('')
  })

  it('lists all months by one execution, with fingerprints that do not depend on the list', async () => {
    const list = async (query: string): Promise<Month[]> => {
      const { status, json } = await ask(`/reports/copies/periods?${query}`, {
        headers: { 'Cache-Control': 'no-cache' },
      })
      expect([status, json.fingerprint]).to.deep.equal([200, 'aggregate'])
      return json.periods
    }
    let year: Month[] = []
    const counts = await rowCounts(async () => (year = await list('from=2026-01-01&to=2026-12-31')))
    expect(counts).to.deep.equal([1])
    expect(year.map(({ from }) => from.slice(5, 7))).to.have.length(12)
    expect((await list(''))[0]).to.deep.include({ from: '2026-01-01' })
    const march = await list('from=2026-03-01&to=2026-03-31')
    expect(march[0]!.fingerprint).to.equal(year[2]!.fingerprint)
    const part = await list('from=2025-12-10&to=2026-03-31')
    expect(part.slice(1).map(one => one.fingerprint)).to.deep.equal(
      year.slice(0, 3).map(one => one.fingerprint),
    )
    const after = await changed('amount_kopecks', 103, () => list('from=2026-01-01&to=2026-12-31'))
    const differing = after.filter((month, at) => month.fingerprint !== year[at]!.fingerprint)
    expect(differing.map(({ from }) => from)).to.deep.equal(['2026-03-01'])
  })

  it('changes the later months, too, if rows are history', async () => {
    const list = async (): Promise<Month[]> => {
      const query = '/reports/balance/periods?from=2026-01-01&to=2026-05-31'
      return (await ask(query, { headers: { 'Cache-Control': 'no-cache' } })).json.periods
    }
    const before = await list()
    const after = await changed('amount_kopecks', 103, list)
    const isEqual = after.map((month, at) => month.fingerprint === before[at]!.fingerprint)
    expect(isEqual).to.deep.equal([true, true, false, false, false])
  })

  it('is in the schema', async () => {
    expect((await ask('/reports/copies/schema')).json.fingerprint).to.equal('aggregate')
    expect((await ask('/reports/register/schema')).json.fingerprint).to.equal('executed')
  })
})
