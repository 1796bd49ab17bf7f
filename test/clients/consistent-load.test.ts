// The loader of src/serve/README.md, "What changed", while the data change.
import { expect } from 'chai'
import type { Answer, Ask } from '../harness/ask.ts'
import { run, sharedShops } from '../harness/shops.ts'
import { gatewaysOfTests, shopsFolder } from '../contract/gateways.ts'

const BY_DAY = `/*---
title: По дням
columns:
  day: { title: День, type: date, total: none }
  name: { title: Магазин, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [day]
summary: За {period} {amount}.
fingerprint: |
  select (receipts.sold_at at time zone :time_zone)::date as day, receipts.id, receipts.amount_kopecks
  from receipts
  where receipts.shop_id = :organization_id
    and receipts.sold_at >= :period_start_at
    and receipts.sold_at < :period_end_at
---*/
select
    (receipts.sold_at at time zone :time_zone)::date as day,
    'магазин' as name,
    sum(receipts.amount_kopecks) as amount
from receipts
where receipts.shop_id = :organization_id
  and receipts.sold_at >= :period_start_at
  and receipts.sold_at < :period_end_at
group by 1
order by 1
`

interface Month {
  readonly from: string
  readonly to: string
  readonly fingerprint: string
}
interface Report {
  readonly code: string
  readonly periods: readonly Month[]
}
type Row = Readonly<Record<string, string | number>>

const CODES: ReadonlySet<string> = new Set(['receipts', 'by_day'])

/** The end of the second in `Date`. */
function notOlderThan({ headers }: Answer): Record<string, string> {
  const instant = new Date(Date.parse(headers.get('Date')!) + 999)
  return { 'Min-Data-As-Of': instant.toISOString() }
}

/** Repeats a request until a replica is new enough. */
async function get(ask: Ask, path: string, headers: Record<string, string>): Promise<Answer> {
  for (;;) {
    const response = await ask(path, { headers })
    if (response.status === 200) return response
    expect([response.status, response.json.code], path).to.deep.equal([503, 'replica_unavailable'])
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

/** Tables by report and month. */
async function load(ask: Ask): Promise<{ tables: Map<string, Row[]>; rounds: number }> {
  const tables = new Map<string, Row[]>()
  const loaded = new Map<string, string>()
  let headers = {}
  for (let rounds = 1; ; rounds += 1) {
    const list = await get(ask, '/periods?from=2026-01-01&to=2026-04-30', headers)
    const months = list.json.reports
      .filter(({ code }: Report) => CODES.has(code))
      .flatMap(({ code, periods }: Report) => periods.map(month => ({ code, ...month })))
      .map((month: Month & { code: string }) => ({ ...month, id: `${month.code} ${month.from}` }))
    const changed = months.filter(
      ({ id, fingerprint }: { id: string; fingerprint: string }) => loaded.get(id) !== fingerprint,
    )
    if (changed.length === 0) return { tables, rounds }
    for (const { id, code, from, to, fingerprint } of changed) {
      const path = `/reports/${code}?from=${from}&to=${to}`
      const response = await get(ask, path, notOlderThan(list))
      tables.set(id, response.json.rows)
      loaded.set(id, fingerprint)
      headers = notOlderThan(response)
    }
  }
}

describe('a loader that lists /periods until two lists agree', function () {
  this.timeout(60_000)
  const start = gatewaysOfTests()

  it('has tables of one snapshot, although data change while it loads', async () => {
    const shops = await sharedShops()
    const definitions = { 'reports/sales/by_day.sql': BY_DAY, 'reports/faults/slow.sql': undefined }
    const without = ['division', 'sleeps', 'sleeps_long', 'sleeps_two', 'too_many_rows']
    const SQL_DIR = shopsFolder({
      ...definitions,
      ...Object.fromEntries(without.map(code => [`reports/faults/${code}.sql`, undefined])),
      'reports/sales/flood.sql': undefined,
      'reports/sales/register.sql': undefined,
    })
    const { ask } = await start({ SQL_DIR })
    const edit = (first: string, second: string): Promise<unknown> =>
      run(
        shops.primaryUrl,
        `update receipts set amount_kopecks = case id when 101 then ${first} else ${second} end
          where id in (101, 102)`,
      )
    const loading = new AbortController()
    const editing = (async () => {
      for (let amount = 1000; amount < 1012 && !loading.signal.aborted; amount += 1) {
        await edit(`${amount}`, `${-amount}`)
        await new Promise(resolve => setTimeout(resolve, 150))
      }
    })()
    try {
      const { tables, rounds } = await load(ask)
      const receipts = [...tables]
        .filter(([id]) => id.startsWith('receipts '))
        .flatMap(([, rows]) => rows)
      const days = [...tables]
        .filter(([id]) => id.startsWith('by_day '))
        .flatMap(([, rows]) => rows)
      const amountOf = (receipt: string) =>
        receipts.find(row => row['receipt'] === receipt)!['amount'] as number
      expect(amountOf('101'), `after ${rounds} lists`).to.equal(-amountOf('102'))
      expect(amountOf('101')).to.be.at.least(1000)
      const dayOf = new Map<string, bigint>()
      for (const { day, amount } of receipts) {
        dayOf.set(String(day), (dayOf.get(String(day)) ?? 0n) + BigInt(amount!))
      }
      const sums = days.map(({ day, amount }) => [day, BigInt(amount!)])
      expect([...dayOf]).to.have.deep.members(sums)
      expect(rounds).to.be.greaterThan(1)
    } finally {
      loading.abort()
      await editing
      await edit('10050', '9007199254740993')
    }
  })
})
