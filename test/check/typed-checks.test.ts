// Findings by types, constraints and functions of the database's catalog.
import { expect } from 'chai'
import { findingsTable } from '../harness/findings-table.ts'
import { useTypedProduct } from './typed-product.ts'

/** The statement begins at line 9. */
const HEAD = `/*---
title: Заказы
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: Строк {row_count}.
---*/
`
const WHERE = `where orders.shipper_id = :organization_id
  and orders.ordered_on >= :period_start and orders.ordered_on < :period_end`

function text(amount: string, where = ''): string {
  return `${HEAD}select orders.kind as name, ${amount} as amount
from orders
${WHERE}${where}
group by orders.kind
order by name
`
}

/**
 * @param example an amount of orders, a condition on them (`and ...`), or items of a CTE, an amount and the rest of the
 *   select from it (`items -> amount -> rest`)
 */
function definitionOf(example: string): string {
  if (example.startsWith('and ')) return text('sum(orders.cents)', `\n  ${example}`)
  const [items, amount, rest] = example.split(' -> ')
  if (amount === undefined) return text(example)
  return `${HEAD}with picked as (
  select ${items}
  from orders
  ${WHERE}
)
select kind as name, ${amount} as amount
from picked
${rest}
order by name
`
}

function metrics(amount: string): string {
  return `/*---
metrics:
  amount: { title: Сумма, format: money }
  rows:   { title: Строк, format: integer }
---*/
select ${amount} as amount, count(*) as rows
from orders
${WHERE}
`
}

const TYPED = `
right
  sum(rounded(orders.freight))
  round(percentile_cont(0.5) within group (order by orders.cents))::bigint
  coalesce(sum(orders.cents) filter (where orders.size = any (array['small', 'large'])), 0)
  and orders.client_id in (select clients.client_id from clients where clients.name <> 'shiped')
  kind, max(ordered_on) over () - min(ordered_on) over () as days, cents -> sum(cents / nullif(days, 0)) -> group by kind
  and coalesce(orders.status, 'none') <> 'none'
  and orders.tag = 'anything'
  and orders.status = any ('{open,closed}'::text[])
  and lower(orders.status) = 'Open'
  and orders.kind || '' = 'anything'
  kind, cents, status from orders union all select kind, cents, 'none' -> sum(cents) -> where status = 'none' group by kind
  kind, cents, case when cents > 5 then 'dear' else tag end as price -> sum(cents) -> where price = 'deer' group by kind
  and exists (select from (values ('a'), ('b')) as letters (letter) where letter = 'b')
  and orders.iso_text >= :period_start::text
  and orders.iso_text::date >= :period_start
  and to_date(orders.ordered_text, 'DD.MM.YYYY') >= :period_start
  and to_char(orders.ordered_on, 'YYYY-MM') >= to_char(:period_start, 'YYYY-MM')
  and to_char(orders.ordered_on, 'YYYY-MM') >= left(:period_start::text, 7)
  and orders.tag >= 'a'
13: orders.status is never 'shiped'
  and orders.status = 'shiped'
  and orders.status in ('open', 'shiped')
9: orders.status is never 'shiped'
  sum(case orders.status when 'shiped' then orders.cents end)
17: orders.status is never 'shiped'
  kind, cents, status -> sum(cents) -> where status = 'shiped' group by kind
13: orders.kind is never 'gifts'
  and orders.kind = 'gifts'
13: orders.size is never 'big'
  and orders.size = 'big'
13: orders.rating is never '4'
  and orders.rating = 4
13: orders.ordered_text is text such as
  and orders.ordered_text >= :period_start::text
17: day is text such as
  kind, cents, ordered_text as day -> sum(cents) -> where day < to_char(:period_end, 'DD.MM.YYYY') group by kind
13: orders.ordered_text::date is text such as
  and orders.ordered_text::date >= :period_start
13: to_char(orders.ordered_on, 'DD.MM.YYYY') is compared as text
  and to_char(orders.ordered_on, 'DD.MM.YYYY') >= to_char(:period_start, 'DD.MM.YYYY')
`

/** Of functions that the server knows, as at the dry run of the gateway. */
const REFUSED = `
9: stamp() is volatile
  sum(stamp(orders.cents))
9: mixed() is volatile
  sum(mixed(orders.cents))
13: operator @+@ calls glue(), which may read rows of any organization
  and orders.kind @+@ 'x' = 'sale'
`

describe('findings by the catalog', () => {
  const product = useTypedProduct()

  findingsTable(TYPED, example => product.typed(definitionOf(example)))
  findingsTable(REFUSED, example => product.onReplica(definitionOf(example)))

  it('include volatile functions in totals and in metrics', async () => {
    const total = text('sum(orders.cents)').replace('sum(amount)', 'sum(stamp(amount::bigint))')
    for (const [definition, expected] of [
      [total, '5: stamp() is volatile'],
      [metrics('sum(stamp(orders.cents))'), '6: stamp() is volatile'],
    ] as const) {
      const findings = await product.onReplica(definition)
      expect(findings).to.have.lengthOf(1)
      expect(findings[0]).to.include(expected)
    }
  })

  describe('rows with equal names', () => {
    const byClient = (key: string, column: string, item: string) => `/*---
title: Клиенты
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
  ${column}
key: [${key}]
summary: Строк {row_count}.
---*/
select clients.name, coalesce(sum(orders.cents), 0) as amount, ${item}
from clients
left join orders on orders.client_id = clients.client_id and orders.shipper_id = clients.shipper_id
  and orders.ordered_on >= :period_start and orders.ordered_on < :period_end
where clients.shipper_id = :organization_id
group by clients.client_id, clients.name
order by clients.name collate "C", clients.client_id
`

    it('are found if the key is their name', async () => {
      const count = 'orders: { title: Заказов, type: integer, total: sum(orders) }'
      const item = 'count(orders.order_id) as orders'
      const findings = await product.onReplica(byClient('name', count, item))
      expect(findings.join('\n')).to.include('7: key: two rows have name "twin"')
      expect(findings).to.have.lengthOf(1)
    })

    it('have no finding if the key is a number', async () => {
      const column = 'client_id: { title: Номер, type: integer, total: none }'
      const text = byClient('client_id', column, 'clients.client_id')
      expect(await product.onReplica(text)).to.deep.equal([])
    })
  })

  it('are part of the findings on a replica, without repetition', async () => {
    const findings = await product.onReplica(definitionOf("and orders.status = 'shiped'"))
    expect(findings).to.have.lengthOf(1)
  })

  it('include a metric that fails', async () => {
    const findings = await product.onReplica(metrics('100 / (count(*) - count(*))'))
    expect(findings.join('\n')).to.include('6: a division by zero (organization 1')
  })
})
