// A product with rows of 1996 to 1998: definitions are executed for those years.
import { expect } from 'chai'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import { loaded } from './bad-definitions.ts'
import { useProduct } from './use-product.ts'

const SCHEMA = `
create table orders (
    order_id integer primary key, ship_via smallint not null, order_date date not null, country text,
    scanned timestamptz not null, cents bigint not null, lines integer not null);
create index on orders (ship_via, order_date);
create function marked(number bigint) returns bigint language sql stable as 'select number';
create function unmarked() returns bigint language sql as 'select 1';
insert into orders
select number, number % 2 + 1, date '1996-07-04' + number / 2, 'country ' || number % 7,
    timestamptz '1996-07-04 22:30Z' + number * interval '12 hours', number * 100, number % 3
from generate_series(1, 1300) as number;
create table places (order_id integer primary key, ship_via smallint not null, order_date date not null, spot point not null);
analyze;`
const TENANCY = 'orders: ship_via\nplaces: ship_via\n'

const NAMED = 'orders.order_id::text as name, orders.cents as amount'

const reportOf = (items: string, order = 'orders.order_id'): Promise<ReportDefinition> =>
  loaded(
    `
select ${items}
from orders
where orders.ship_via = :organization_id
  and orders.order_date >= :period_start
  and orders.order_date < :period_end
order by ${order}`,
    TENANCY,
  )

describe('a product of other years', () => {
  const { createCheck, found } = useProduct({
    database: 'svodka_old',
    schema: SCHEMA,
    tenancy: TENANCY,
    ids: ['1', '2', '3'],
    idType: 'smallint',
  })

  it('has rows and no finding for a correct definition', async () => {
    expect(await found(await reportOf(NAMED))).to.deep.equal({
      findings: [],
      unproved: [],
      hasRows: true,
    })
  })

  for (const [title, items, order, words] of [
    ['rows that tie', NAMED, 'orders.country', '14: the order of the rows depends on'],
    [
      'a division by zero',
      NAMED.replace('cents', 'cents / orders.lines'),
      undefined,
      '9: a division by zero (organization 1, 1998-01-01 to 1998-12-31)',
    ],
    [
      'kopecks with a fraction',
      NAMED.replace('cents', 'cents * 0.333'),
      undefined,
      'expected money, whole kopecks',
    ],
    [
      'a day of the session',
      `orders.scanned::date::text || orders.order_id as name, orders.cents as amount`,
      undefined,
      'depends on the session time zone',
    ],
  ] as const) {
    it(`shows ${title}`, async () => {
      const { findings } = await found(await reportOf(items, order))
      expect(findings.join('\n')).to.include(words)
    })
  }

  it('shows a sequential scan that the budget forbids', async () => {
    const definition = await loaded(
      `
select orders.country as name, sum(orders.cents) as amount
from orders
where :period_end > :period_start
group by orders.country
order by orders.country`,
      TENANCY,
      'budget: { buffersPerThousandRows: 5000, seqScan: 8KiB }\n',
    )
    const { findings } = await found(definition)
    expect(findings.join('\n')).to.match(/^8: budget: found a sequential scan of orders/)
  })

  it('is executed for no period other than the given one', async () => {
    const faulty = await reportOf(NAMED.replace('cents', 'cents / orders.lines'))
    const later = await found(faulty, await createCheck({ start: '2020-01-01', end: '2020-02-01' }))
    expect(later.hasRows).to.equal(false)
    expect(later.findings.join('\n')).not.to.include('2020')
    const check = await createCheck({ start: '1997-01-01', end: '1997-02-01' })
    expect((await found(await reportOf(NAMED), check)).hasRows).to.equal(true)
  })

  it('reports a table without synthetic rows once', async () => {
    const definition = await loaded(
      `
select places.order_id::text as name, 1 as amount
from places
where places.ship_via = :organization_id
  and places.order_date >= :period_start
  and places.order_date < :period_end
order by places.order_id`,
      TENANCY,
    )
    const check = await createCheck()
    expect(await found(definition, check)).to.deep.equal({
      findings: [],
      unproved: ['faults that only synthetic rows show (places (no value of type point is known))'],
      hasRows: false,
    })
    expect((await found(definition, check)).unproved).to.deep.equal([])
  })
})
