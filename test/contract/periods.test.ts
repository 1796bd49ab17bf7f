import { rmSync } from 'node:fs'
import { expect } from 'chai'
import type { Ask } from '../harness/ask.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { sharedShops } from '../harness/shops.ts'
import { gatewaysOfTests, shopsFolder } from './gateways.ts'

interface Report {
  readonly code: string
  readonly fingerprint: string | null
  readonly problem?: string
}

interface Month {
  readonly from: string
  readonly to: string
  readonly fingerprint: string | null
}

const NEW = { headers: { 'Cache-Control': 'no-cache' } }

describe('/reports/:code/periods', () => {
  const world = shopsGateway()
  const ask: Ask = (path, options) => world.ask(path, options)
  const monthsOf = async (path: string): Promise<Month[]> => {
    const { status, json } = await ask(path, NEW)
    expect(status, path).to.equal(200)
    return json.periods.map(({ from, to, fingerprint }: Month) => ({ from, to, fingerprint }))
  }

  it('lists months with fingerprints, from the first that has rows', async () => {
    const { status, json, headers } = await ask('/reports/receipts/periods')
    expect(status).to.equal(200)
    expect(json).to.include({ code: 'receipts', fingerprint: 'executed' })
    expect(json.periods.map(({ from }: Month) => from)).to.deep.equal(
      Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-01`),
    )
    expect(json.periods[1]).to.include({ from: '2026-02-01', to: '2026-02-28' })
    for (const { fingerprint } of json.periods) expect(fingerprint).to.match(/^[\w-]{22}$/)
    expect(Date.parse(json.dataAsOf)).to.be.greaterThan(0)
    expect(headers.get('Cache-Control')).to.equal('private, no-cache')
  })

  it('takes from and to, also within months', async () => {
    const months = await monthsOf('/reports/receipts/periods?from=2025-12-15&to=2026-02-10')
    expect(months.map(({ from, to }) => [from, to])).to.deep.equal([
      ['2025-12-15', '2025-12-31'],
      ['2026-01-01', '2026-01-31'],
      ['2026-02-01', '2026-02-10'],
    ])
    const { status, json } = await ask('/reports/receipts/periods?from=1900-01-01')
    expect([status, json.code]).to.deep.equal([400, 'bad_range'])
    expect((await ask('/reports/receipts/periods?form=2026-01-01')).status).to.equal(400)
    const last = await monthsOf('/reports/receipts/periods?to=2026-02-10')
    expect(last.at(-1)).to.include({ from: '2026-02-01', to: '2026-02-10' })
    expect((await ask('/reports/receipts/periods?to=2025-12-31')).json.periods).to.deep.equal([])
  })

  it('is empty for an organization without rows', async () => {
    const { json } = await ask('/reports/receipts/periods', { key: 'key of shop 3' })
    expect(json.periods).to.deep.equal([])
  })

  it('has another fingerprint if a row of the month changes, and then the old one again', async () => {
    const path = '/reports/receipts/periods?from=2026-01-01&to=2026-12-31'
    const shops = await sharedShops()
    const before = await monthsOf(path)
    expect(await monthsOf(path), 'twice').to.deep.equal(before)
    for (const column of ['amount_kopecks', 'weight']) {
      await shops.change(`update receipts set ${column} = ${column} + 1 where id = 101`)
      try {
        const after = await monthsOf(path)
        const changed = after.filter(
          ({ fingerprint }, at) => fingerprint !== before[at]!.fingerprint,
        )
        expect(
          changed.map(({ from }) => from),
          column,
        ).to.deep.equal(['2026-01-01'])
      } finally {
        await shops.change(`update receipts set ${column} = ${column} - 1 where id = 101`)
      }
    }
    expect(await monthsOf(path), 'restored').to.deep.equal(before)
  })

  it('differs between organizations, and is served from the cache', async () => {
    const path = '/reports/receipts/periods?from=2020-01-01&to=2020-01-31'
    const { json: one } = await ask(path)
    const { json: two } = await ask(path, { key: 'key of shop 2' })
    expect(one.periods[0].fingerprint).to.not.equal(two.periods[0].fingerprint)
    const executions = () =>
      world.gateway.observations.filter(one => one.kind === 'execution').length
    // why: an execution is observed after its connection is released
    await new Promise(resolve => setTimeout(resolve, 300))
    const before = executions()
    const { headers } = await ask(path)
    expect(executions()).to.equal(before)
    // why: fetch adds Cache-Control: no-cache to If-None-Match
    const [etag, again] = [headers.get('ETag')!, await ask(path)]
    expect(again.headers.get('ETag')).to.equal(etag)
  })

  it('is 404 for an unknown report, and 405 for other methods', async () => {
    expect((await ask('/reports/none/periods')).json.code).to.equal('report_not_found')
    expect((await ask('/reports/receipts/periods', { method: 'POST' })).status).to.equal(405)
  })
})

describe('/periods', () => {
  const start = gatewaysOfTests()

  it('lists the months of all reports; null where the rows depend on the clock', async () => {
    const clock = `/*---
title: Сегодня
columns: { name: { title: Имя, type: text } }
key: [name]
summary: За {period} {row_count}.
---*/
select (:today)::text as name from shops where shops.id = :organization_id order by name
`
    const state = clock
      .replace('title: Сегодня', 'title: Состояние\ndateBasis: state')
      .replace('(:today)::text', "'a'")
    const all = shopsFolder({
      'reports/sales/clock.sql': clock,
      'reports/sales/state.sql': state,
    })
    const large = ['sales/flood', 'sales/register', 'faults/sleeps', 'faults/sleeps_long']
    for (const code of [...large, 'faults/sleeps_two', 'faults/slow', 'faults/too_many_rows']) {
      rmSync(`${all}/reports/${code}.sql`)
    }
    const { ask } = await start({ SQL_DIR: all })
    const { status, json } = await ask('/periods?from=2026-01-01&to=2026-02-28')
    expect(status, JSON.stringify(json)).to.equal(200)
    const sales = json.reports.filter(({ code }: Report) => /^(?:clock|receipts)/.test(code))
    const kinds = sales.map(({ code, fingerprint }: Report) => [code, fingerprint])
    expect(kinds).to.deep.equal([
      ['clock', null],
      ['receipts', 'executed'],
      ['receipts_by_month', null],
    ])
    const broken = json.reports.find(({ code }: Report) => code === 'division')
    const none = { fingerprint: null, periods: [], problem: 'internal_error' }
    expect(broken).to.deep.equal({ code: 'division', ...none })
    expect(sales[0].periods).to.deep.equal([
      { from: '2026-01-01', to: '2026-01-31', fingerprint: null, dataAsOf: null },
      { from: '2026-02-01', to: '2026-02-28', fingerprint: null, dataAsOf: null },
    ])
    const { json: open } = await ask('/periods')
    const ofState = open.reports.find(({ code }: Report) => code === 'state')
    expect(ofState).to.include({ fingerprint: null, problem: 'bad_range' })
    expect((await ask('/reports/state/periods')).json.code).to.equal('bad_range')
    const { json: one } = await ask('/reports/receipts/periods?from=2026-01-01&to=2026-02-28')
    const withoutTimes = (months: readonly Month[]) =>
      months.map(({ from, fingerprint }) => [from, fingerprint])
    expect(withoutTimes(sales[1].periods)).to.deep.equal(withoutTimes(one.periods))
  })
})
