// PostgreSQL reports the position of an error in the compiled statement: its line is that of the file.
import { expect } from 'chai'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { until } from '../harness/until.ts'
import { shopsFolder } from './gateways.ts'

const HEAD = `/*---
title: Чеки
columns:
  name: { title: Имя, type: text }
  amount:
    { title: Сумма, type: money,
      total: "sum(amount)" }
key: [name]
summary: За {period} {amount}.
---*/`
const STATEMENT = `
select 'a' as name, amount_kopecks as amount from receipts order by id`
const METRICS = `/*---
metrics:
  sold: { title: Продано, format: money }
---*/
select
  sum(amount_kopecks) as sold
from receipts`

/** Files with `-- !` at the line that PostgreSQL rejects; that of a total is its key's. */
const FILES = Object.entries({
  nested: `${HEAD}
with a as (
  with b as (select id, amount_kopecks from receipts)
  select b.id, sum(b.amount_kopecks) over (order by (
    select max(no_such) -- !
    from b as c
  )) as amount from b
)
select id::text as name, amount from a order by id`,
  recursive: `${HEAD}
with recursive /* 'with' */ a (n) as (
  select 1::bigint union all
  select n + no_such -- !
  from a where n < 3
)
select n::text as name, n as amount from a, receipts order by n`,
  calls: `${HEAD}
select repeat('ш🙂', 3) || lower(upper(note)) as name, coalesce(abs(amount_kopecks), length('ш')) as amount from receipts
where lower(upper('🙂')) = lower(no_such) -- !
order by id`,
  call: `${HEAD}
select 'a' as name, amount_kopecks as amount from receipts
where abs(1) = 1 and
  no_such(note) -- !
order by id`,
  placeholders: `${HEAD}
select 'a' as name, amount_kopecks as amount from receipts where sold_at >= :period_start_at
  and :period_start_at + :organization_id = :today and shop_id = :organization_id -- !
order by id`,
  table: `${HEAD}
-- a table of tenancy.yaml that the database lacks
with a as (
  select shop_id
  from no_such_table -- !
)
select 'a' as name, shop_id::bigint as amount from a, receipts order by receipts.id`,
  total:
    HEAD.replace('sum(amount)" }', 'sum(abs(amount)) + max(lower(no_such))" } # -- !') + STATEMENT,
  function_in_total: HEAD.replace('sum(amount)" }', 'no_such(amount)" } # -- !') + STATEMENT,
  metrics: METRICS.replace('as sold', '+ sum(no_such) as sold -- !'),
})

describe('an error at a place of a statement', () => {
  const start = gatewaysOfTests()

  it("is reported at the file's line", async () => {
    const paths = FILES.map(([name]) =>
      name === 'metrics' ? 'metrics/sales.sql' : `reports/sales/${name}.sql`,
    )
    const texts = FILES.map(([, text], at) => [paths[at]!, text] as const)
    const SQL_DIR = shopsFolder({ 'reports/faults': undefined, ...Object.fromEntries(texts) })
    const { gateway } = await start({ SQL_DIR })
    const found = () =>
      gateway.observations.flatMap(fact =>
        fact.kind === 'definition-refused' ? [[fact.file, fact.line] as const] : [],
      )
    await until(() => found().length === FILES.length)
    const expected = texts.map(([path, text]) => {
      const line = text.split('\n').findIndex(each => each.includes('-- !')) + 1
      return [`sql/${path}`, line]
    })
    expect(Object.fromEntries(found())).to.deep.equal(Object.fromEntries(expected))
  })
})
