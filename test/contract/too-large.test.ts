import { expect } from 'chai'
import { expectProblem } from '../harness/ask.ts'
import { untilExecuting } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { shopsFolder, spooledBytes } from './gateways.ts'

interface Register {
  readonly maxRows: number
  readonly rows: number
  /** SQL of `row_count` in the totals row. */
  readonly rowCountSql: string
  readonly totals: 'first' | 'last'
  /** Letters of the last row's name. */
  readonly lastLetters?: number
}

const REGISTERS: Readonly<Record<string, Register>> = {
  counted_first: { maxRows: 1000, rows: 2000, rowCountSql: '2000::bigint', totals: 'first' },
  not_counted: { maxRows: 50_000, rows: 100_000, rowCountSql: 'null::bigint', totals: 'first' },
  counted_last: { maxRows: 50_000, rows: 100_000, rowCountSql: '100000::bigint', totals: 'last' },
  many_bytes: { maxRows: 1_000_000, rows: 400_000, rowCountSql: 'null::bigint', totals: 'last' },
  broken_promise: {
    maxRows: 200_000,
    rows: 100_000,
    rowCountSql: '20000::bigint',
    totals: 'first',
  },
  late: { maxRows: 100_000, rows: 30_000, rowCountSql: 'null::bigint', totals: 'last' },
  long_last: {
    maxRows: 100_000,
    rows: 100_000,
    rowCountSql: '100000::bigint',
    totals: 'first',
    lastLetters: 40_000,
  },
}

/** A select with the totals row first or last, computed while it is read. */
function textOf({ maxRows, rows, rowCountSql, totals, lastLetters = 40 }: Register): string {
  const total = `select true as is_total, ${rowCountSql} as row_count, null::text as name, :organization_id as shop`
  const row = `select false as is_total, null::bigint as row_count, n || repeat('ш', case n when ${rows} then ${lastLetters} else 40 end) as name, :organization_id as shop
from (select generate_series(1, ${rows}) as n) as numbers`
  const parts = totals === 'first' ? [total, row] : [row, total]
  return `/*---
title: Реестр
columns:
  name: { title: Имя, type: text }
key: [name]
summary: За {period} {row_count} строк.
maxRows: ${maxRows}
timeout: 20s
shared: true
---*/
select is_total, row_count, name from (
${parts.join('\nunion all\n')}
) as register
order by shop
`
}

const SQL_DIR = shopsFolder(
  Object.fromEntries(
    Object.entries(REGISTERS).map(([code, one]) => [`reports/sales/${code}.sql`, textOf(one)]),
  ),
)

describe('a result that is too large', () => {
  const world = shopsGateway(
    { SQL_DIR, SPOOL_MAX_BYTES: '50MiB' },
    { limits: { maxCachedBytes: 65_536 } },
  )
  const { ask } = world

  for (const code of ['counted_first', 'not_counted', 'counted_last', 'many_bytes']) {
    it(`is rejected before the status is sent: ${code}`, async () => {
      expectProblem(await ask(`/reports/${code}`), 400, 'result_too_large')
      expect((await ask(`/reports/${code}`, { method: 'HEAD' })).status).to.equal(400)
      await untilExecuting(world.shops, 0)
      expect(await spooledBytes(world.gateway)).to.equal(0)
    })
  }

  it('is a problem if row_count is wrong', async () => {
    expectProblem(await ask('/reports/broken_promise'), 500, 'internal_error')
  })

  it('is rejected for the format that cannot hold its last row', async () => {
    const { status, json } = await ask('/reports/long_last.xlsx')
    expect([status, json.code]).to.deep.equal([400, 'result_too_large'])
    expect(json.detail).to.include('Имя')
    expect((await ask('/reports/long_last.csv')).status).to.equal(200)
  })

  it('is allowed within its maximum of rows, even if rows are counted last', async () => {
    const { status, json } = await ask('/reports/late')
    expect(status).to.equal(200)
    expect(json.rows).to.have.length(30_000)
    expect(json.rows.at(-1)).to.deep.equal({ name: `30000${'ш'.repeat(40)}` })
    const head = await ask('/reports/late', { method: 'HEAD' })
    expect([head.status, head.text]).to.deep.equal([200, ''])
    await until(async () => (await spooledBytes(world.gateway)) === 0)
  })
})
