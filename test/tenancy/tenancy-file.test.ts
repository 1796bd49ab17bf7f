// Errors in `tenancy.yaml`, by line, with and without a database.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { CatalogTable } from '../../src/author/sql/catalog-tables.ts'
import { tenanciesOfDatabase } from '../../src/author/tenancy/database-tenancies.ts'
import { parseTenancy } from '../../src/author/tenancy/tenancy-file.ts'
import { hintsOf } from '../../src/author/tenancy/tenancy-hints.ts'
import { tenanciesOfText } from '../../src/author/tenancy/text-tenancies.ts'
import { checked, folderOf } from '../check/bad-definitions.ts'

function table(name: string, columns: Record<string, string>, schema = 'public'): CatalogTable {
  return {
    schema,
    name,
    view: null,
    isVisible: schema === 'public',
    columns: Object.entries(columns).map(([name, type]) => ({
      name,
      type,
      category: 'U',
      isNotNull: false,
      labels: [],
      generated: null,
      checks: [],
    })),
    primaryKey: Object.keys(columns).slice(0, 1),
    uniqueKeys: [],
    partialKeys: [],
    foreignKeys: [],
    checks: [],
  }
}

const TABLES = [
  table('shops', { shop_id: 'smallint' }),
  table('orders', { order_id: 'integer', ship_via: 'smallint', paid: 'date' }),
  table('order_lines', { order_id: 'integer', line: 'integer' }),
  table('goods', { good_id: 'integer' }),
  table('scans', { scan_id: 'integer', shipper_id: 'smallint' }, 'tracking'),
]
const IDS = [{ schema: undefined, table: 'orders', column: 'ship_via' }]

function faults(text: string): string[] {
  const file = parseTenancy(text, 'sql/tenancy.yaml')
  const { findings } = tenanciesOfDatabase(TABLES, [], { ...hintsOf([]), compared: IDS, file })
  return findings.map(({ line, message }) => `${line}: ${message}`)
}

describe('tenancy.yaml', () => {
  it('has no finding if it is correct, and may be empty', () => {
    const right =
      'orders: ship_via\ntracking.scans: shipper_id\norder_lines: via orders\ngoods: shared'
    for (const text of ['', '# nothing yet\n', right]) expect(faults(text)).to.deep.equal([])
  })

  for (const [text, ...expected] of [
    ['goods: shared\norder: ship_via', '2: there is no table "order", did you mean "orders"?'],
    [
      'scans: shipper_id',
      '1: there is no table "scans", expected one of the product, with its schema',
    ],
    ['orders: ship_vai', '1: orders has no column "ship_vai", did you mean "ship_via"?'],
    ['goods: shraed', '1: goods has no column "shraed", did you mean "shared"?'],
    ['orders: paid', "1: orders.paid is date, expected smallint as the organization's id is"],
    [
      'order_lines: via ordres',
      '1: order_lines: there is no table "ordres", did you mean "orders"?',
    ],
    [
      'goods: via goods',
      '1: goods is its own parent, via goods, expected a table of organizations',
    ],
    [
      'goods: via order_lines\norder_lines: via goods',
      '1: goods is its own parent, via goods, expected a table of organizations',
      '2: order_lines is its own parent, via order_lines, expected a table of organizations',
    ],
    [
      'goods: shared\norder_lines: via goods',
      '2: order_lines has the parent goods, which is shared, expected a table of organizations',
    ],
    [
      'order_lines: via goods',
      '1: order_lines: goods belongs to no organization, expected a table that does, or its own line',
    ],
    ['goods: shared\ngoods: shared', '2: table "goods" again, expected each once'],
    [
      'orders: ship_via\npublic.orders: shared',
      '2: table "public.orders" again, expected each once',
    ],
    ['goods:', '1: goods: found no text, expected a column, "via <table>" or "shared"'],
    ['goods: [shared]', '1: goods: found no text, expected a column, "via <table>" or "shared"'],
    ['goods: via', '1: goods: found "via", expected a column, "via <table>" or "shared"'],
    ['goods: via a b', '1: goods: found "via a b", expected a column, "via <table>" or "shared"'],
    ['- goods', '1: found no map, expected a line for each table, as "orders: shop_id"'],
    ['goods: {', /^1: YAML: /],
  ] as Array<[string, ...Array<string | RegExp>]>) {
    it(`has a finding: ${text.replaceAll('\n', ', ')}`, () => {
      const all = faults(text)
      expect(all).to.have.length(expected.length)
      for (const [at, one] of expected.entries()) expect(all[at]).to.match(asPattern(one))
    })
  }

  it('applies without a database', async () => {
    const directory = folderOf({
      'reports/a/lines.sql': `/*---
title: Строки
columns:
  name: { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: Всего {amount}.
---*/
select goods.name, order_lines.amount_cents as amount
from orders
join order_lines on order_lines.order_id = orders.order_id
join goods on goods.good_id = order_lines.good_id
where orders.ship_via = :organization_id and orders.day >= :period_start and orders.day < :period_end
order by orders.order_id, order_lines.line
`,
    })
    writeFileSync(
      join(directory, 'tenancy.yaml'),
      'orders: shop_id\norder_lines: via orders\ngoods: shared\n',
    )
    expect(await checked(directory)).to.deep.equal([
      `sql/reports/a/lines.sql:10: orders is read without its organization's condition (found none), expected orders.shop_id = :organization_id`,
    ])
    writeFileSync(
      join(directory, 'tenancy.yaml'),
      'orders: ship_via\norder_lines: via orders\ngoods: shared\n',
    )
    expect(await checked(directory)).to.deep.equal([])
  })

  it('finds the parent of a child that a CTE reads', async () => {
    const directory = folderOf({
      'reports/a/lines.sql': `/*---
title: Строки
columns:
  name: { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: Всего {amount}.
---*/
with lines as (select order_lines.order_id, order_lines.amount_cents from order_lines)
select orders.name, lines.amount_cents as amount
from lines
join orders on orders.order_id = lines.order_id
where orders.ship_via = :organization_id and orders.day >= :period_start and orders.day < :period_end
order by orders.order_id
`,
    })
    writeFileSync(join(directory, 'tenancy.yaml'), 'orders: ship_via\norder_lines: via orders\n')
    expect(await checked(directory)).to.deep.equal([])
  })

  it('reports no table that it cannot resolve', async () => {
    const directory = folderOf({
      'reports/a/lines.sql': `/*---
title: Строки
columns:
  name: { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: Всего {amount}.
---*/
select goods.name, amount_cents as amount
from orders
join goods on goods.good_id = orders.good_id
where ship_via = :organization_id and orders.day >= :period_start and orders.day < :period_end
order by orders.order_id
`,
    })
    writeFileSync(join(directory, 'tenancy.yaml'), 'orders: ship_via\ngoods: shared\n')
    expect(await checked(directory)).to.deep.equal([])
  })

  it('is checked without a database', () => {
    const file = parseTenancy('a: via b\nb: via a', 'sql/tenancy.yaml')
    const { findings } = tenanciesOfText({ ...hintsOf([]), file })
    expect(findings.map(({ line }) => line)).to.deep.equal([1, 2])
  })
})

function asPattern(expected: string | RegExp): RegExp {
  if (typeof expected !== 'string') return expected
  return new RegExp(`^${expected.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
}
