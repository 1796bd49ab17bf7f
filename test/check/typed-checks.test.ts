// Findings by types, constraints and functions of the database's catalog.
import { expect } from 'chai'
import { askTypedProduct, type TypedProduct } from './typed-product.ts'

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

function text(amount: string, { from = 'orders', where = '' } = {}): string {
  return `${HEAD}select orders.kind as name, ${amount} as amount
from ${from}
${WHERE}${where}
group by orders.kind
order by name
`
}

function condition(where: string): string {
  return text('sum(orders.cents)', { where: `\n  and ${where}` })
}

/** The same over a CTE. */
function through(cte: string, amount: string, tail = 'group by kind'): string {
  return `${HEAD}with picked as (
  select ${cte}
  from orders
  ${WHERE}
)
select kind as name, ${amount} as amount
from picked
${tail}
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

/** The first words of each finding. */
const BAD: ReadonlyArray<readonly [title: string, text: string, expected: string]> = [
  [
    'a text that is never there',
    condition("orders.status = 'shiped'"),
    "13: orders.status is never 'shiped'",
  ],
  [
    'a text through a CTE',
    through('kind, cents, status', 'sum(cents)', "where status = 'shiped' group by kind"),
    "17: orders.status is never 'shiped'",
  ],
  [
    'a text in a list',
    condition("orders.status in ('open', 'shiped')"),
    "13: orders.status is never 'shiped'",
  ],
  [
    'a text in a case',
    text("sum(case orders.status when 'shiped' then orders.cents end)"),
    "9: orders.status is never 'shiped'",
  ],
  ['a text of an or', condition("orders.kind = 'gifts'"), "13: orders.kind is never 'gifts'"],
  ['a text of a domain', condition("orders.size = 'big'"), "13: orders.size is never 'big'"],
  ['a number', condition('orders.rating = 4'), "13: orders.rating is never '4'"],
  [
    'a text of a case',
    through(
      "kind, cents, case when cents > 5 then 'dear' else 'cheap' end as price",
      'sum(cents)',
      "where price = 'deer' group by kind",
    ),
    "17: price is never 'deer'",
  ],

  [
    'a date as text',
    condition('orders.ordered_text >= :period_start::text'),
    '13: orders.ordered_text is text such as',
  ],
  [
    'a date as text through a CTE',
    through(
      'kind, cents, ordered_text as day',
      'sum(cents)',
      "where day < to_char(:period_end, 'DD.MM.YYYY') group by kind",
    ),
    '17: day is text such as',
  ],
  [
    'a text that is read as a date',
    condition('orders.ordered_text::date >= :period_start'),
    '13: orders.ordered_text::date is text such as',
  ],
  [
    'a format that does not sort',
    condition("to_char(orders.ordered_on, 'DD.MM.YYYY') >= to_char(:period_start, 'DD.MM.YYYY')"),
    "13: to_char(orders.ordered_on, 'DD.MM.YYYY') is compared as text",
  ],
  [
    'two formats',
    condition("to_char(orders.ordered_on, 'YYYY-MM') >= :period_start::text"),
    '13: to_char(',
  ],
]

/** Of functions that the server knows, as at the dry run of the gateway. */
const REFUSED: ReadonlyArray<readonly [title: string, text: string, expected: string]> = [
  ['a volatile function', text('sum(stamp(orders.cents))'), '9: stamp() is volatile'],
  ['one of two overloads', text('sum(mixed(orders.cents))'), '9: mixed() is volatile'],
  [
    'an operator that may read tables',
    condition("orders.kind @+@ 'x' = 'sale'"),
    '13: operator @+@ calls glue(), which may read rows of any organization',
  ],
  [
    'a volatile function in a total',
    text('sum(orders.cents)').replace('sum(amount)', 'sum(stamp(amount::bigint))'),
    '5: stamp() is volatile',
  ],
  ['a volatile function in metrics', metrics('sum(stamp(orders.cents))'), '6: stamp() is volatile'],
]

const GOOD: readonly string[] = [
  text('sum(rounded(orders.freight))'),
  text('round(percentile_cont(0.5) within group (order by orders.cents))::bigint'),
  text('sum(steps.step * orders.cents)', {
    from: 'orders cross join generate_series(1, 2) as steps (step)',
  }),
  text("coalesce(sum(orders.cents) filter (where orders.size = any (array['small', 'large'])), 0)"),
  condition(
    "orders.client_id in (select clients.client_id from clients where clients.shipper_id = :organization_id and clients.name <> 'shiped')",
  ),
  through(
    'kind, max(ordered_on) over () - min(ordered_on) over () as days, cents',
    'sum(cents / nullif(days, 0))',
  ),
  condition("coalesce(orders.status, 'none') <> 'none'"),
  condition("orders.tag = 'anything'"),
  condition("orders.status = any ('{open,closed}'::text[])"),
  condition("lower(orders.status) = 'Open'"),
  condition("orders.kind || '' = 'anything'"),
  through(
    "kind, cents, status from orders union all select kind, cents, 'none'",
    'sum(cents)',
    "where status = 'none' group by kind",
  ),
  through(
    "kind, cents, case when cents > 5 then 'dear' else tag end as price",
    'sum(cents)',
    "where price = 'deer' group by kind",
  ),
  condition("exists (select from (values ('a'), ('b')) as letters (letter) where letter = 'b')"),
  condition('orders.iso_text >= :period_start::text'),
  condition('orders.iso_text::date >= :period_start'),
  condition("to_date(orders.ordered_text, 'DD.MM.YYYY') >= :period_start"),
  condition("to_char(orders.ordered_on, 'YYYY-MM') >= to_char(:period_start, 'YYYY-MM')"),
  condition("to_char(orders.ordered_on, 'YYYY-MM') >= left(:period_start::text, 7)"),
  condition("orders.tag >= 'a'"),
]

describe('findings by the catalog', () => {
  let product: TypedProduct
  before(async function () {
    this.timeout(30_000)
    product = await askTypedProduct()
  })
  after(() => product?.close())

  for (const [title, definition, expected] of BAD) {
    it(`finds ${title}`, async () => {
      const findings = await product.typed(definition)
      expect(findings, findings.join('\n')).to.have.lengthOf(1)
      expect(findings[0]).to.include(expected)
    })
  }

  for (const [title, definition, expected] of REFUSED) {
    it(`refuses ${title}`, async () => {
      const findings = await product.onReplica(definition)
      expect(findings, findings.join('\n')).to.have.lengthOf(1)
      expect(findings[0]).to.include(expected)
    })
  }

  for (const definition of GOOD) {
    it(`has no finding in ${definition.slice(HEAD.length).replaceAll(/\s+/g, ' ').slice(0, 200)}`, async () => {
      expect(await product.typed(definition)).to.deep.equal([])
    })
  }

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
    const findings = await product.onReplica(condition("orders.status = 'shiped'"))
    expect(findings).to.have.lengthOf(1)
  })

  it('include a metric that fails', async () => {
    const findings = await product.onReplica(metrics('100 / (count(*) - count(*))'))
    expect(findings.join('\n')).to.include('6: a division by zero (organization 1')
  })
})
