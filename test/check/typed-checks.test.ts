// Findings by types, constraints and functions of the catalog.
import { expect } from 'chai'
import { askTypedProduct, type TypedProduct } from './typed-product.ts'

/** The statement begins at line 10. */
const HEAD = `/*---
title: Заказы
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
  size:   { title: Размер, type: number, hidden: true }
key: [name]
summary: Строк {row_count}.
---*/
`
const WHERE = `where orders.shipper_id = :organization_id
  and orders.ordered_on >= :period_start and orders.ordered_on < :period_end`

function text(amount: string, { from = 'orders', where = '', size = '1', tail = '' } = {}): string {
  return `${HEAD}select orders.kind as name, ${amount} as amount, ${size} as size
from ${from}
${WHERE}${where}
group by orders.kind ${tail}
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
select kind as name, ${amount} as amount, 1 as size
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

const LINES =
  'orders join lines on lines.order_id = orders.order_id and lines.shipper_id = orders.shipper_id'

/** The first words of each finding. */
const BAD: ReadonlyArray<readonly [title: string, text: string, expected: string]> = [
  [
    'a sum of reals',
    text('(sum(orders.freight) * 100)::bigint'),
    '10: amount is computed from orders.freight (real)',
  ],
  [
    'a product of reals',
    text('round(sum(lines.price * lines.quantity * (1 - lines.discount)) * 100)::bigint', {
      from: LINES,
    }),
    '10: amount is computed from lines.price (real) and lines.discount (real)',
  ],
  [
    'a sum of doubles',
    text('sum(orders.weight)::numeric(14, 2) * 100'),
    '10: amount is computed from orders.weight (double',
  ],
  [
    'reals through a CTE',
    through('kind, freight', '(sum(picked.freight) * 100)::bigint'),
    '16: amount is computed from picked.freight (real)',
  ],
  [
    'a real in a scalar subquery',
    text(
      'sum(orders.cents) + (select round(sum(lines.price) * 100)::bigint from lines where lines.shipper_id = :organization_id)',
    ),
    '10: amount is computed from lines.price',
  ],
  [
    'a function that gives a double',
    text('sum(billing.fee(orders.fee))::numeric'),
    '10: amount is computed from billing.fee(orders.fee) (double',
  ],

  [
    'a real of more than six digits',
    text('sum(lines.big::numeric) * 100', { from: LINES }),
    '10: lines.big is real and has values such as 12345.67',
  ],
  [
    'a real that is a decimal',
    condition('orders.freight = 0.15'),
    '14: orders.freight is real and is compared with 0.15',
  ],
  ['a real in a list', condition('orders.freight in (0.5, 0.15)'), '14: orders.freight is real'],
  [
    'a real between decimals',
    condition('orders.freight between 0.05 and 0.15'),
    '14: orders.freight is real',
  ],
  [
    'a real and a numeric column',
    condition('orders.freight = orders.fee'),
    '14: orders.freight is real',
  ],

  [
    'a text that is never there',
    condition("orders.status = 'shiped'"),
    "14: orders.status is never 'shiped'",
  ],
  [
    'a text through a CTE',
    through('kind, cents, status', 'sum(cents)', "where status = 'shiped' group by kind"),
    "18: orders.status is never 'shiped'",
  ],
  [
    'a text in a list',
    condition("orders.status in ('open', 'shiped')"),
    "14: orders.status is never 'shiped'",
  ],
  [
    'a text in a case',
    text("sum(case orders.status when 'shiped' then orders.cents end)"),
    "10: orders.status is never 'shiped'",
  ],
  ['a text of an or', condition("orders.kind = 'gifts'"), "14: orders.kind is never 'gifts'"],
  ['a text of a domain', condition("orders.size = 'big'"), "14: orders.size is never 'big'"],
  ['a number', condition('orders.rating = 4'), "14: orders.rating is never '4'"],
  [
    'a text of a case',
    through(
      "kind, cents, case when cents > 5 then 'dear' else 'cheap' end as price",
      'sum(cents)',
      "where price = 'deer' group by kind",
    ),
    "18: price is never 'deer'",
  ],

  [
    'a date as text',
    condition('orders.ordered_text >= :period_start::text'),
    '14: orders.ordered_text is text such as',
  ],
  [
    'a date as text through a CTE',
    through(
      'kind, cents, ordered_text as day',
      'sum(cents)',
      "where day < to_char(:period_end, 'DD.MM.YYYY') group by kind",
    ),
    '18: day is text such as',
  ],
  [
    'a text that is read as a date',
    condition('orders.ordered_text::date >= :period_start'),
    '14: orders.ordered_text::date is text such as',
  ],
  [
    'a format that does not sort',
    condition("to_char(orders.ordered_on, 'DD.MM.YYYY') >= to_char(:period_start, 'DD.MM.YYYY')"),
    "14: to_char(orders.ordered_on, 'DD.MM.YYYY') is compared as text",
  ],
  [
    'two formats',
    condition("to_char(orders.ordered_on, 'YYYY-MM') >= :period_start::text"),
    '14: to_char(',
  ],

  ['a volatile function', text('sum(stamp(orders.cents))'), '10: stamp() is volatile'],
  [
    'a volatile operator',
    condition("orders.kind @+@ 'x' = 'sale'"),
    '14: operator @+@ is volatile',
  ],
  [
    'a volatile function in a total',
    text('sum(orders.cents)').replace('sum(amount)', 'sum(stamp(amount::bigint))'),
    '5: stamp() is volatile',
  ],
  [
    'a real in metrics',
    metrics('(sum(orders.freight) * 100)::bigint'),
    '6: amount is computed from orders.freight (real)',
  ],
]

const GOOD: readonly string[] = [
  metrics('round(sum(orders.freight::numeric) * 100)'),
  text('sum(steps.step * orders.cents)', {
    from: 'orders cross join generate_series(1, 2) as steps (step)',
  }),
  text("coalesce(sum(orders.cents) filter (where orders.size = any (array['small', 'large'])), 0)"),
  condition(
    "orders.client_id in (select clients.client_id from clients where clients.shipper_id = :organization_id and clients.name <> 'shiped')",
  ),
  text('sum(lines.big::text::numeric) * 100', { from: LINES }),
  text('(array_agg(orders.cents order by orders.weight))[1]'),
  text('round(sum(orders.freight::numeric) * 100)'),
  text('round(sum(lines.price::numeric * lines.quantity * (1 - lines.discount::numeric)) * 100)', {
    from: LINES,
  }),
  text('sum(round(lines.price * lines.quantity * 100)::bigint)', { from: LINES }),
  text('sum(round((orders.freight - orders.weight) * 100)::bigint)'),
  text('count(orders.freight)'),
  text('sum(billing.rounded(orders.freight))'),
  text('round(percentile_cont(0.5) within group (order by orders.cents))::bigint'),
  text('sum(orders.cents)', { size: 'sum(orders.freight)::numeric' }),
  through('kind, freight', 'sum(freight::numeric) * 100'),
  through(
    'kind, max(ordered_on) over () - min(ordered_on) over () as days, cents',
    'sum(cents / nullif(days, 0))',
  ),
  condition('orders.freight > 10'),
  condition('orders.freight::numeric = 0.15'),
  condition("orders.freight = '0.15'"),
  condition('orders.weight = 0.15'),
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
      const { findings } = await product.typed(definition)
      expect(findings, findings.join('\n')).to.have.lengthOf(1)
      expect(findings[0]).to.include(expected)
    })
  }

  for (const definition of GOOD) {
    it(`has no finding in ${definition.slice(HEAD.length).replaceAll(/\s+/g, ' ').slice(0, 200)}`, async () => {
      expect(await product.typed(definition)).to.deep.equal({ findings: [], unproved: [] })
    })
  }

  for (const [amount, unproved] of [
    [
      'sum(mixed(orders.cents))',
      'whether mixed() is volatile: one of several functions of that name is',
    ],
    [
      'all_cents(:organization_id)',
      'whose rows all_cents() reads: it is security definer, and reads as its owner',
    ],
    [
      '(select sum(line_rows.amount)::numeric from line_rows())',
      'whether floats reach "amount" through line_rows.amount',
    ],
  ] as const) {
    it(`reports as unproved: ${amount}`, async () => {
      expect(await product.typed(text(amount))).to.deep.equal({
        findings: [],
        unproved: [unproved],
      })
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
group by clients.client_id
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
    const findings = await product.onReplica(text('(sum(orders.freight) * 100)::bigint'))
    expect(findings).to.have.lengthOf(1)
  })

  it('include a metric that fails', async () => {
    const findings = await product.onReplica(metrics('100 / (count(*) - count(*))'))
    expect(findings.join('\n')).to.include('6: a division by zero (organization 1')
  })
})
